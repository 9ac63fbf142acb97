import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { refusalsOf } from '../../api/needs.ts'
import { operations } from '../../api/openapi/operations.ts'
import { type EndpointName, type Route, routes } from '../../api/routes.ts'
import { entries, entryName } from '../../infra/build/entries.ts'
import { bundling } from '../../infra/build/function-bundles.ts'
import { type ErrorCode, refusals } from '../../shared/base/errors.ts'
import { endpointNames } from '../support/api/rows.ts'

/**
 * A row's refusals equal the codes that its code names. esbuild drops declarations that an endpoint does not reach, so
 * nothing has to run. That each listed refusal occurs is shown in `answers.test.ts`.
 */

/** Refusals of `provePassword` at login alone, or for an account without an access token. */
const ofLogins: ErrorCode[] = ['account-locked', 'bad-credentials']

/** Codes that an endpoint's code names but never answers with. */
const unused: { [N in EndpointName]?: ErrorCode[] } = {
  // It becomes `bad-credentials`; is of a passkey; the reason of an event; the refusal of `provePassword` elsewhere.
  login: [
    'invalid-access-token',
    'invalid-passkey-challenge',
    'invalid-provider-token',
    'no-second-factor',
    'wrong-password',
  ],
  // The same, and of a passkey.
  'provider-login': ['invalid-access-token', 'invalid-passkey-challenge', 'no-second-factor', 'wrong-password'],
  // They are of a password, an access token and a provider.
  'passkey-login': ['bad-credentials', 'invalid-access-token', 'invalid-provider-token'],
  'set-up-passkey': ofLogins,
  'remove-passkey': ofLogins,
  'disconnect-provider': ofLogins,
  // What is wrong with a request is `invalid-authorization-request`.
  authorize: ['invalid-access-token', 'no-second-factor', 'unknown-client', 'unknown-redirect', 'wrong-password'],
  // Of a cookie it becomes `login-required`.
  'authorize-session': ['invalid-refresh-token', 'unknown-client', 'unknown-redirect'],
  'logout-browser': [],
  'end-session': [...ofLogins, 'email-not-verified'],
  'change-password': ofLogins,
  'set-up-second-factor': ofLogins,
  // `refuseFactor` says more with it; a code is always sent here.
  'confirm-second-factor': ['second-factor-required'],
  // A person who must have a second factor needs no passkey.
  'renew-recovery-codes': [...ofLogins, 'email-not-verified', 'passkey-required'],
  'remove-second-factor': [...ofLogins, 'passkey-required'],
  'delete-account': [...ofLogins, 'email-not-verified'],
  // They become `invalid_grant`.
  token: ['email-not-verified', 'invalid-refresh-token'],
  // It becomes `invalid-email-change-token`.
  'confirm-email-change': ['bad-credentials', 'email-not-verified', 'invalid-access-token'],
}

const { outputFiles } = await build({
  ...bundling,
  entryPoints: endpointNames.map(name => ({ in: entryName(name), out: name })),
  minify: false,
  packages: 'external',
  plugins: [entries],
})

/** The codes named in files of a folder by an endpoint's code: in a bundle, a file's path precedes its content. */
function codesIn(name: EndpointName, folder: RegExp): ErrorCode[] {
  const bundle = outputFiles.find(({ path }) => path.endsWith(`/${name}.cjs`))
  const files = bundle?.text.split(/^\/\/ (?=\S+\.ts$)/m).filter(file => folder.test(file)) ?? []
  const words = files.flatMap(file => file.match(/(?<=["'])[a-z-]+(?=["'])/g) ?? [])
  return [...new Set(words)].filter((word): word is ErrorCode => word in refusals).sort()
}

/** Files that refuse; rows only declare it. */
const ofCode = /^(?:accounts\/\w+\/(?!routes\.ts)|functions\/|shared\/aws\/)/

test.each(endpointNames)('the row of %s lists what its use case refuses with', name => {
  const listed: string[] = refusalsOf(routes[name])
  const missing = codesIn(name, ofCode).filter(code => !listed.includes(code))
  expect(missing).toEqual(unused[name] ?? [])
})

test.each(endpointNames)('the row of %s lists nothing that its code does not name', name => {
  const { refuses = [] }: Route = routes[name]
  const known = codesIn(name, ofCode)
  expect(refuses.filter(code => !known.includes(code))).toEqual([])
})

test('every refusal is in a row, but that of wrong methods and a page’s', () => {
  const listed = operations.flatMap(({ codes }) => codes)
  const others = Object.keys(refusals).filter(code => !listed.includes(code as ErrorCode))
  expect(others).toEqual(['unknown-client', 'unknown-redirect', 'method-not-allowed'])
})
