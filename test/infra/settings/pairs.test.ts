import { isDeepStrictEqual } from 'node:util'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { expect, test } from 'vitest'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { clientPaths, deployedFunctions, providerPaths } from '../../../api/needs.ts'
import serveDocument from '../../../functions/openapi.ts'
import servePage from '../../../functions/pages.ts'
import signingKeys from '../../../functions/signing-keys.ts'
import { requireRoom } from '../../../infra/quotas.ts'
import { SettingsError } from '../../../infra/settings/setting.ts'
import { readSettings, type Settings, settingsTable } from '../../../infra/settings/settings.ts'
import { welcome } from '../../../local/console.ts'
import { readConfig } from '../../../shared/base/config.ts'
import { documents } from '../../support/api/openapi.ts'
import { builtPage } from '../../support/built-page.ts'
import { covering } from '../../support/covering.ts'
import { send as sendTo } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { startHashRanges } from '../../support/service/hash-ranges.ts'
import { ada, find, invite, protect } from '../../support/service/people.ts'
import { synthesize } from '../../support/stack/template.ts'
import { cases } from './cases.ts'

/** Every setting, on and off, beside every other. */

type Name = keyof Settings
type Texts = Partial<Record<Name, string>>

/** The texts of each setting: none, and each choice, or the first of its cases that is not the default. */
const values = Object.fromEntries(
  cases.map(([name, { unset, good }]) => {
    const others = good.filter(([, value]) => !isDeepStrictEqual(value, unset)).map(([text]) => text)
    const isChoice = /^\w+(?:, \w+)* or \w+$/.test(settingsTable[name].expected)
    return [name, ['', ...(isChoice ? others : others.slice(0, 1))]]
  }),
) as Record<Name, string[]>
const names = Object.keys(values) as Name[]
const pairs = names.flatMap((one, i) => names.slice(i + 1).map(other => [one, other] as const))

function complaintsOf(texts: Texts): string[] {
  try {
    readSettings(texts)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n')
    throw error
  }
}

const namesIn = (line: string): Name[] =>
  [...line.matchAll(/\b[A-Z][A-Z_]+\b/g)].flatMap(([word]) => (word in settingsTable ? [word as Name] : []))

/** Sets what complaints name, but for what is decided. @returns the complaints that no such setting ends */
function obey(texts: Texts): string[] {
  const complaints = complaintsOf(texts)
  const open = [...new Set(complaints.flatMap(namesIn))].filter(name => !(name in texts))
  const left = open.map(name => obey({ ...texts, [name]: values[name][1] ?? '' }))
  return left.find(each => each.length === 0) ?? left[0] ?? complaints
}

test('each setting has a value beside its default, accepted with what its refusal names', () => {
  for (const name of names) {
    expect([name, values[name].length > 1]).toEqual([name, true])
    for (const text of values[name]) expect([name, obey({ [name]: text })]).toEqual([name, []])
  }
})

/** The pairs that do not go together, `!` before a setting that is off. */
const impossible = [
  'SIGN_IN_PROVIDERS !MAIL_FROM',
  '!REQUIRE_EMAIL_VERIFICATION SIGN_UP_DOMAINS',
  '!PASSKEY_RP_ID PASSKEY_ORIGINS',
  'PASSKEY_RP_ID !MAIL_FROM',
  'PASSKEY_ORIGINS !MAIL_FROM',
  'SECOND_FACTOR=required !MAIL_FROM',
  'SESSION_DAYS SESSION_IDLE_DAYS',
  '!MAIL_FROM SES_IDENTITY',
  '!API_DOMAIN API_CERTIFICATE_ARN',
  'API_DOMAIN !API_CERTIFICATE_ARN',
  'CATALOGUE_CDN CATALOGUE_DOMAIN',
  'CATALOGUE_CDN CATALOGUE_CERTIFICATE_ARN',
  'CATALOGUE_CDN WEB_ACL_ARN',
  '!CATALOGUE_DOMAIN CATALOGUE_CERTIFICATE_ARN',
  'CATALOGUE_DOMAIN !CATALOGUE_CERTIFICATE_ARN',
]

test('two settings go together, or a line names one and says what it must be', () => {
  const refused = pairs.flatMap(([one, other]) =>
    values[one].flatMap(text =>
      values[other].flatMap(otherText => {
        const complaints = obey({ [one]: text, [other]: otherText })
        for (const line of complaints) {
          const [, name, must = '', is] =
            /^(\w+) (?:is not set but )?must be\b(.*?)(?:, not '(.*?)')?, because /.exec(line) ?? []
          expect([line, namesIn(line).some(each => each === one || each === other)]).toEqual([line, true])
          expect([line, name !== undefined && name in settingsTable]).toEqual([line, true])
          // Never one of the values that it asks for.
          expect(must.split(/,? or |, /).map(choice => choice.trim())).not.toContain(is)
        }
        const shown = (name: Name, text: string) =>
          text === '' ? `!${name}` : values[name].length > 2 ? `${name}=${text}` : name
        return complaints.length === 0 ? [] : [`${shown(one, text)} ${shown(other, otherText)}`]
      }),
    ),
  )
  expect(refused.sort()).toEqual([...impossible].sort())
})

const harness = createHarness()

/** Configurations in which every two values that go together do so: a covering array. */
const configurations = covering(values, pairs, some => obey(some as Texts).length === 0)

const eventOf = (rawPath: string, method = 'GET') =>
  ({
    rawPath,
    rawQueryString: '',
    headers: {},
    requestContext: { http: { method } },
  }) as unknown as APIGatewayProxyEventV2

test.each(configurations.map((texts, i) => [i + 1, texts] as const))(
  'configuration %i is built, answers, and says everywhere the same of what is on',
  async (_, texts) => {
    await using ranges = await startHashRanges()
    const settings = readSettings(texts)
    const isOn = (name: Name) => !isDeepStrictEqual(settings[name], readSettings({})[name])
    const { stack, template, variables, all, only } = synthesize(texts)
    requireRoom(template as never, stack.stackName, settings)
    const { OIDC_CLIENTS: clients, SIGN_IN_PROVIDERS: providers, CORS_ORIGINS } = settings
    const deployed = deployedFunctions(clients.length > 0, providers.length > 0)
    const environment = Object.entries<string>(Object.assign({}, ...deployed.map(variables)))
    const config = readConfig(
      Object.fromEntries(environment.map(([name, text]) => [name, text.replace(/<[^>]+>/g, 'x')])),
    )
    Object.assign(harness.config, config, { bcryptCost: 4, blocklistUrl: ranges.url })
    harness.providers = providers
    const deps = { ...harness.deps, clients }
    const send = (name: Parameters<typeof sendTo>[1], sent?: Parameters<typeof sendTo>[2]) =>
      sendTo({ ...harness, deps }, name, sent)

    const opened = await send('register', { body: { ...ada, name: 'Ada' } })
    expect(opened.body.code).toBe(opened.status === 201 ? undefined : 'sign-up-closed')
    if (opened.status !== 201) {
      await send('accept-invitation', { body: { token: await invite(harness), new_password: ada.password } })
    }
    const mails = harness.mails.length
    for (const { message } of harness.queue.splice(0)) await deliverMail(deps, message, deps.now())
    expect(harness.mails.length > mails).toBe(settings.MAIL_FROM !== '')
    const { id } = await find(harness)
    await harness.setAttributes(id, { is_verified: false })
    const logIn = (more: object = {}) => send('login', { body: { ...ada, session: {}, ...more } })
    const unverified = await logIn()
    await harness.operator.verify(await find(harness), deps.now())
    const alone = await logIn()
    const isRequired = alone.body.code === 'second-factor-setup'
    const codes = isRequired ? (await protect(harness)).recoveryCodes : []
    const { status, body: tokens, headers: fields } = isRequired ? await logIn({ code: codes[0] }) : alone
    expect(status).toBe(200)
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const me = await send('get-me', { headers })
    const methods = await send('sign-in-methods', { headers })
    expect([me.status, methods.status]).toEqual([200, 200])
    const setUp = await send('set-up-second-factor', { headers, body: { password: ada.password, code: codes[1] } })
    const passkeys = await send('passkey-login-options')
    expect(passkeys.body.code).toBe(isOn('PASSKEY_RP_ID') ? undefined : 'passkeys-off')
    const foreign = await logIn().then(() =>
      send('login', { body: ada, headers: { origin: 'https://elsewhere.example' } }),
    )
    expect(foreign.body.code === 'origin-not-allowed').toBe(isOn('CORS_ORIGINS'))
    expect(Object.keys(fields).some(name => name.startsWith('ratelimit'))).toBe(settings.RATE_LIMITS !== 'off')

    // What the service does, as its page says it.
    const does = {
      sessions: tokens.refresh_token !== undefined,
      verification: unverified.body.code === 'email-not-verified',
      factor: setUp.body.code !== 'second-factor-off',
      required: isRequired,
      languages: 'language' in me.body,
      invitation: opened.status !== 201,
    }
    const flags = Object.entries(does).flatMap(([flag, is]) => (is ? [flag] : []))
    const open = async (path: string) =>
      servePage({ config: harness.config, clients, providers, read: builtPage })(eventOf(path))
    const [account, home, change, ofPasskeys] = await Promise.all(
      ['/account', '/', '/.well-known/change-password', '/.well-known/passkey-endpoints'].map(open),
    )
    const hasPage = account?.statusCode === 200
    expect([home?.statusCode, change?.statusCode === 302]).toEqual([200, hasPage])
    expect(ofPasskeys?.statusCode === 200).toBe(hasPage && passkeys.status === 200)
    if (hasPage) {
      expect(account.body).toContain(`data-flags="${flags.join(' ')}" data-passkeys="${passkeys.body.rpId ?? ''}"`)
    }
    const addresses = { TERMS_URL: settings.TERMS_URL, PRIVACY_URL: settings.PRIVACY_URL, APP_URL: settings.APP_URL }
    const links = { ...addresses, SUPPORT_EMAIL: settings.SUPPORT_EMAIL && `mailto:${settings.SUPPORT_EMAIL}` }
    for (const [name, address] of Object.entries(links).filter(([, address]) => address !== ''))
      expect([name, home?.body?.includes(`href="${address}`)]).toEqual([name, true])

    const told = welcome(
      { ahead: 0, baseUrl: 'x', publicUrl: 'x', pagesUrl: 'x', certificateFile: null, inboxUrl: 'x', exampleUrl: null },
      settings,
      1,
      true,
    )
    expect([told.includes('x/account'), told.includes('users -- invite')]).toEqual([hasPage, does.invitation])
    expect(told.includes('APP_URL')).toBe(isOn('APP_URL'))

    const { body: discovered = '' } = await signingKeys(deps)(eventOf('/auth/.well-known/openid-configuration'))
    const discovery = JSON.parse(discovered)
    const hasClients = clients.length > 0
    expect('authorization_endpoint' in discovery).toBe(hasClients)
    expect(discovery.grant_types_supported?.includes('refresh_token') ?? false).toBe(hasClients && does.sessions)
    expect('ui_locales_supported' in discovery).toBe(hasClients && does.languages)
    const paths = all('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => String(Properties.RouteKey).split(' ')[1])
    for (const path of clientPaths) expect([path, paths.includes(path)]).toEqual([path, hasClients])
    for (const path of providerPaths) expect([path, paths.includes(path)]).toEqual([path, providers.length > 0])
    const document = await serveDocument({ config: harness.config, documents })(eventOf('/openapi.json') as never)
    expect(JSON.parse(document.body).info.contact?.email ?? '').toBe(settings.SUPPORT_EMAIL)

    const { CorsConfiguration } = only('AWS::ApiGatewayV2::Api').Properties
    expect(CorsConfiguration).toMatchObject({ AllowOrigins: CORS_ORIGINS })
    const { Outputs = {} } = template
    expect(Outputs.PasskeyRpId?.Value).toBe(passkeys.body.rpId)
    expect(Outputs.SecondFactor?.Value).toBe(isRequired ? 'required' : does.factor ? 'optional' : 'off')
    expect([Outputs.SignUp?.Value === 'invited', 'Providers' in Outputs]).toEqual([
      does.invitation,
      providers.length > 0,
    ])
  },
)
