import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { languages } from '../../shared/words/languages.ts'

/** The files of a change in CONTRIBUTING.md exist, and a past change of each kind touched them. */

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const guide = read('CONTRIBUTING.md')

/** The files of each kind of change, with `<name>` for the variable part. */
const changes = new Map(
  [...guide.matchAll(/^\| (An? [^|]+) \| (.+) \|$/gm)].map(([, kind = '', files = '']) => [
    kind,
    [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  ]),
)

/** A past change. */
interface Sample {
  /** Its names: every file with one of them was touched, except tests. */
  names: RegExp
  /** The values of the table's `<name>`. */
  places?: Record<string, string>
  /** Files touched because of the change's content, not of its kind. */
  uses?: string[]
  /** Its name occurs in other files too, for other reasons. */
  isCommon?: true
}

const { en, ...others } = languages
const everyTag = `{${Object.keys(others).join(',')}}`

const samples: Record<string, Sample> = {
  'An endpoint': {
    names: /'reset-password'|\bpasswords\.reset\b|\bResetPasswordRequest\b|'invalid-reset-token'|\bkeepsPasskeys\?/,
    places: { noun: 'password', rule: 'reset', row: 'reset-password' },
    // Its page's path is that of a mailed link. Its body is older than the rule that orders those of the description.
    // The page of its link asks another row first.
    uses: [
      'accounts/mail/queue.ts',
      'accounts/password/logins.ts',
      'api/openapi/schemas.ts',
      'shared/pages/reset-password.ts',
    ],
  },
  'A setting that the stack reads': {
    names: /\bCATALOGUE_CDN\b/,
    places: { subject: 'stages' },
    // It checks the catalogue, if there is one.
    uses: ['operations/smoke/checks.ts'],
  },
  'A setting that functions read': {
    names: /\bACCESS_TOKEN_EXPIRE_MINUTES\b|\baccessTokenMinutes\b/,
    // All rows that issue tokens have it, so none states it.
    places: { noun: 'token', rule: 'access-token', 'accounts/<noun>/routes.ts': 'api/implied.ts' },
  },
  'An attribute of an account': {
    names: /\bformer_password_hash\b|\bformerPasswordHash\b/,
    places: { noun: 'password', rule: 'reset' },
    // A mail's words tell a first password from a lost one; an account that never had one gives way.
    uses: ['accounts/delivery/links.ts', 'accounts/address/yielding.ts'],
  },
  'A claim': {
    names: /^ {2}auth_time: number$/m,
    // Id tokens have it too.
    uses: ['accounts/application/tokens.ts'],
  },
  'An alarm for an event': {
    names: /'key-unusable'/,
    uses: ['shared/aws/keys.ts'],
  },
  'A mail with a page': {
    names: /\breset-password\b|\bresetPassword\b/,
    places: { tag: everyTag, page: 'reset-password' },
    isCommon: true,
  },
  'A word': {
    names: /\btryAgain\b/,
    places: { tag: everyTag },
    uses: globSync('shared/pages/account/{factor,form,main}.ts', { cwd: root }),
  },
  'A language': { names: /\bes: Words\b|'\.\/es\.ts'|^export const es\b/m, places: { tag: 'es' } },
  'A check': { names: /'wrong-group'/, places: { subject: 'modules' } },
  'An AWS service': { names: /\b(?:KMS|kms)\b/i, places: { construct: 'signing', service: 'kms' }, isCommon: true },
}

const fill = (file: string, places: Record<string, string> = {}): string =>
  places[file] ?? file.replaceAll(/<(\w+)>/g, (gap, name: string) => places[name] ?? gap)

const found = (pattern: string): string[] => globSync(pattern, { cwd: root })

const sources = globSync('{accounts,api,catalogue,functions,infra,local,operations,shared}/**/*.{ts,html}', {
  cwd: root,
  exclude: file => file.includes('node_modules'),
})

test('each kind of change has a sample', () => {
  expect(Object.keys(samples)).toEqual([...changes.keys()])
})

describe.each(Object.entries(samples))('%s', (kind, { names, places, uses = [], isCommon = false }) => {
  const files = (changes.get(kind) ?? []).map(file => fill(file, places))

  test('names files that are there', () => {
    expect(files.filter(file => found(file).length === 0)).toEqual([])
  })

  test('touches them', () => {
    // Steps of the pipeline and the harness know a resource by its use.
    const isNamed = (file: string) => names.test(read(file)) || kind === 'An AWS service'
    expect(files.flatMap(found).filter(file => !isNamed(file))).toEqual([])
  })

  test.skipIf(isCommon)('touches no others', () => {
    const others = sources.filter(file => names.test(read(file)) && !uses.includes(file))
    expect(others.filter(file => !files.flatMap(found).includes(file))).toEqual([])
  })
})
