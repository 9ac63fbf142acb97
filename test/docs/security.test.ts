import { randomBytes } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_MIN_VERSION } from 'node:tls'
import bcrypt from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import { attributes } from '../../accounts/account/attributes.ts'
import { markDays } from '../../accounts/address/deletion-marks.ts'
import { codeLifetime } from '../../accounts/application/grant.ts'
import { codeKnownFor } from '../../accounts/application/writes.ts'
import { codeLimit, windowsCleared } from '../../accounts/factor/code-limits.ts'
import { drawRecoveryCodes } from '../../accounts/factor/codes.ts'
import { setupTokenLifetime } from '../../accounts/factor/enrolment.ts'
import { wrongCodesInARow } from '../../accounts/factor/factor.ts'
import { setupTime } from '../../accounts/factor/set-up.ts'
import { codeOf, secretBytes, stepOf } from '../../accounts/factor/totp.ts'
import { assertionLifetime } from '../../accounts/identity/client-secret.ts'
import { fetchPause, lastAge, usualAge } from '../../accounts/identity/provider-keys.ts'
import { providerTokenLifetime } from '../../accounts/identity/provider-token.ts'
import * as caps from '../../accounts/mail/caps.ts'
import { noticesFollowAfter } from '../../accounts/mail/language.ts'
import { perClient } from '../../accounts/mail/mailbox.ts'
import { bounds, sentDigits } from '../../accounts/password/breaches.ts'
import { guessing } from '../../accounts/password/guesses.ts'
import { hashPassword } from '../../accounts/password/hash.ts'
import { passwordLength, toPassword } from '../../accounts/password/password.ts'
import { callerAlone, isRemembered, rememberedClients } from '../../accounts/session/remembered-clients.ts'
import { maxOfApplication, maxSessions, shares } from '../../accounts/session/room.ts'
import { grace } from '../../accounts/session/rotation.ts'
import { newSession } from '../../accounts/session/session.ts'
import { drawToken, lifetimes } from '../../accounts/token/token.ts'
import { clientKey } from '../../api/caller.ts'
import { type Route, routes } from '../../api/routes.ts'
import { levelOf } from '../../docs/write/asvs.ts'
import { packCommonPasswords } from '../../infra/build/bundle.ts'
import { readSettings, settingsTable } from '../../infra/settings/settings.ts'
import { type ErrorCode, refusalAmong, refusals } from '../../shared/base/errors.ts'
import { pseudonym } from '../../shared/base/limits/counters.ts'
import { refuseGuess } from '../../shared/base/limits/guess-limit.ts'
import { accountsPerClient, day, hour, minute } from '../../shared/base/limits/windows.ts'
import { tripLifetime } from '../../shared/pages/trip.ts'
import { createHarness } from '../support/service/harness.ts'
import { ada, home, register } from '../support/service/people.ts'
import { everything } from '../support/stack/settings.ts'
import { synthesize } from '../support/stack/template.ts'

/**
 * Every number in the tables of docs/security.md and docs/security-inventory.md, and of deploy.md where somebody asks for their data,
 * is decided by the code, or is in a list below of numbers that others decide; every name in them is the product's.
 */

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const harness = createHarness()
const system = { now: () => new Date(), randomBytes, log: () => {} }

/** The cells of a document's tables, except those written from the code. */
function cellsOf(document: string): string[] {
  const text = document.replaceAll(/<!-- npm run docs writes this: (\S+) -->.*?<!-- end of \1 -->/gs, '')
  const rows = text.split('\n').filter(line => /^\| (?!-)/.test(line))
  return rows.flatMap(row => row.slice(1, -1).split('|')).map(cell => `|${cell}|`)
}
const documents = ['docs/security.md', 'docs/security-inventory.md']
const [dataOfPeople = ''] = /^### Somebody asks for their data\n.*?(?=\n##)/ms.exec(read('docs/deploy.md')) ?? []
const cells = [...documents.map(read), dataOfPeople].flatMap(cellsOf)

const numerals = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven']
const larger = new Map([
  [12, 'twelve'],
  [20, 'twenty'],
  [23, 'twenty-three'],
  [100, 'a hundred'],
])
const inWords = (n: number): string => numerals[n] ?? larger.get(n) ?? n.toLocaleString('en')
const inCapitals = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`
const ordinals: Record<number, string> = { 5: 'fifth' }

const spans = new Map([
  [1, 'a second'],
  [minute, 'a minute'],
  [hour / 4, 'a quarter of an hour'],
  [hour, 'an hour'],
  [day, 'a day'],
  [7 * day, 'a week'],
])
const span = (seconds: number): string => spans.get(seconds) ?? `${seconds} seconds`
const minutesOf = (milliseconds: number): number => milliseconds / 1000 / minute
const daysOf = (milliseconds: number): number => milliseconds / 1000 / day
const bitsOf = (base64url: string): number => Buffer.from(base64url, 'base64url').length * 8

const usual = readSettings({})
const stack = synthesize({ ...everything, SIGNING_KEYS: 'main' })
const propertiesOf = (type: string, id = ''): Record<string, unknown>[] =>
  stack.all(type).flatMap(([name, { Properties }]) => (name.startsWith(id) ? [Properties ?? {}] : []))

/** How long the stack keeps logs. */
const logDays = new Set(propertiesOf('AWS::Logs::LogGroup').map(({ RetentionInDays }) => RetentionInDays as number))
const [queue = {}] = propertiesOf('AWS::SQS::Queue', 'MailQueue')
const [deadLetters = {}] = propertiesOf('AWS::SQS::Queue', 'DeadLetters')
const keptDays = ({ MessageRetentionPeriod }: Record<string, unknown>): number => Number(MessageRetentionPeriod) / day
const [signingKey = {}] = propertiesOf('AWS::KMS::Key', 'SigningKey')

const hash = await hashPassword({ ...system, config: { bcryptCost: 4 } }, toPassword('correct horse'))
const [, hashVersion, salt = ''] = /\$v=(\d),.*?\$(.{22})\$/.exec(hash) ?? []
const bytesRead = Array.from({ length: 100 }, (_, i) => i).find(i => bcrypt.truncates('x'.repeat(i + 1)))
const common = (await packCommonPasswords()).trim().split('\n').length
const limit = { name: '', policy: guessing.pair, reason: 'pair', what: '' } as const
const { options } = refuseGuess(system, limit, { newest: new Date() })
const retryAfter = Number(options.headers?.['retry-after'])
const tokenBits = bitsOf(drawToken(system))
const drawn = newSession(system, { tokenVersion: 0, sessions: [] }, null, { authTime: new Date(), amr: [] })
const recoveryCodes = drawRecoveryCodes(system)
/** Five bits in each character (RFC 4648 §6). */
const recoveryBits = (recoveryCodes[0] ?? '').replaceAll('-', '').length * 5
const digits = codeOf(new Uint8Array(secretBytes), 0).length
const step = Array.from({ length: 100 }, (_, i) => i).find(seconds => stepOf(new Date(seconds * 1000)) === 1)
/** Of a million codes three are valid at a time: the present one, and those of the steps before and after. */
const opened = (10_000 * wrongCodesInARow * 3) / 10 ** digits
const cookieReaders = Object.values<Route>(routes).filter(({ ownPages }) => ownPages).length
const [, clientBytes] = /`(?:ghc1_)\$\{randomBytes\((\d+)\)/.exec(read('operations/clients.ts')) ?? []
const [, fileMode] = /'wx', 0o(\d+)/.exec(read('operations/command-line/text-files.ts')) ?? []
const [, settling] = /const settling = (\d+)/.exec(read('shared/pages/settle.ts')) ?? []
const tls = DEFAULT_MIN_VERSION.replace('TLSv', '')
const [, prefix] = /\/(\d+)$/.exec(clientKey('2001:db8::1')) ?? []
const longestCount = Math.max(...Object.values(caps).flatMap(cap => (typeof cap === 'object' ? [cap.seconds] : [])))

/** The days for which a client IP address is remembered. */
async function rememberedDays(): Promise<number> {
  const { account } = await register(harness)
  const remembered = { ...account, clients: callerAlone(account, home, harness.deps.now()) }
  const after = (days: number) => new Date(harness.deps.now().getTime() + days * day * 1000)
  return Array.from({ length: 1000 }, (_, i) => i).find(days => !isRemembered(remembered, home, after(days))) ?? 0
}

const links =
  `${lifetimes.verification / 1000 / hour} hours (verification, new address), ` +
  `${inWords(lifetimes.reset / 1000 / hour)} hour (reset, setting up a second factor) or ` +
  `${inWords(daysOf(lifetimes.undo))} days (undo, invitation)`
const hourly = `${inWords(caps.perAccount.limit)} in ${span(caps.perAccount.seconds)}`

/** The numbers in the tables, computed from the code. A longer text comes before its parts. */
const factsOf = (remembered: number): string[] => [
  `bcrypt (cost ${usual.BCRYPT_COST})`,
  `\`bcrypt_sha256\` version ${hashVersion}`,
  `no limit of ${bytesRead} bytes`,
  `${passwordLength.min} to ${passwordLength.max} characters`,
  `| ${passwordLength.min} |`,
  `the contract says ${passwordLength.min}`,
  `some ${(Math.round(common / 1000) * 1000).toLocaleString('en')} common passwords`,
  `by ${inWords(sentDigits)} digits of its SHA-1, once, within ${span(bounds.deadline / 1000)}`,
  `${inCapitals(inWords(guessing.pair.limit))} wrong passwords in ${guessing.pair.seconds / minute} minutes per caller and address`,
  `${inWords(guessing.address.limit)} in ${span(guessing.address.seconds)} per address`,
  `| ${inWords(guessing.address.limit)} in ${span(guessing.address.seconds)} |`,
  `come again in ${span(retryAfter)}`,
  `beyond the ${inWords(guessing.address.limit).replace('a ', '')}`,
  `each of the last ${inWords(rememberedClients)} IP addresses`,
  `within ${remembered} days has ${inWords(guessing.pair.limit)} guesses of its own`,
  `${inWords(guessing.pair.limit)} wrong passwords for one address`,
  `| ${remembered} days after the last login or mailed link from there; ${inWords(rememberedClients)} at most |`,
  `at most ${accountsPerClient.policy.limit} accounts in ${span(accountsPerClient.policy.seconds).replace('a ', 'a UTC ')}`,
  `leaves a mark for ${markDays} days`,
  `| ${markDays} days |`,
  `${inWords(caps.perAddress.limit)} links of one kind in ${span(caps.perAddress.seconds)} to an address`,
  `${inWords(caps.perVariants.limit)} ${span(caps.perVariants.seconds)} to all variants of an address together`,
  `${inWords(caps.perPlainAddress.limit)} to the plain address`,
  `${inWords(perClient.limit)} ${span(perClient.seconds)} of those that one IP address asks for`,
  `To new addresses: ${hourly} and ${inWords(caps.newAddresses.limit)} ${span(caps.newAddresses.seconds)} from an account`,
  `as many ${span(accountsPerClient.policy.seconds)} from all accounts of an IP address as it may open`,
  `${hourly.replace(' in', ' notices of one kind in')} to an account`,
  `of what a thief can repeat ${inWords(caps.perThief.limit)} ${span(caps.perThief.seconds)}, of a deletion ${inWords(caps.perDeletion.limit)}`,
  `Links carry ${tokenBits} random bits`,
  links,
  `| ${inCapitals(inWords(keptDays(queue)))} day; ${inWords(keptDays(deadLetters))} days as a dead letter`,
  `of undo links ${inWords(daysOf(lifetimes.undo))} days`,
  `can undo it for ${inWords(daysOf(lifetimes.undo))} days`,
  `a link that undoes it for ${inWords(daysOf(lifetimes.undo))} days`,
  `It works once, for ${inWords(daysOf(lifetimes.invitation))} days`,
  `| ${inCapitals(inWords(lifetimes['second-factor'] / 1000 / hour))} hour |`,
  `${span(grace / 1000)} after it was made`,
  `its owner is mailed, once ${span(caps.perThief.seconds)}`,
  `\`SESSION_IDLE_DAYS\` (${usual.SESSION_IDLE_DAYS})`,
  `\`SESSION_DAYS\` (${usual.SESSION_DAYS})`,
  `At most ${inWords(maxSessions)} sessions an account: ${inWords(shares.application)} of applications, ${inWords(maxOfApplication)} of each; ` +
    `${inWords(shares.browser)} of browsers; ${inWords(shares.tab)} of tabs of the account page`,
  `none of the last ${inWords(shares.own)} of a person's own`,
  `A code has ${tokenBits} random bits`,
  `good once, for ${codeLifetime / 1000} seconds`,
  `| ${inCapitals(span(codeKnownFor).replace('a ', 'one '))}, so that a code`,
  `| ${Number(clientBytes) * 8} random bits, after \`ghc1_\``,
  `nobody finds ${Number(clientBytes) * 8} random bits by it`,
  `${inCapitals(inWords(cookieReaders))} endpoints read it`,
  '`SESSION_DAYS=0`',
  `takes a press in its first ${settling} ms`,
  `an account's language ${inWords(daysOf(noticesFollowAfter))} days later`,
  `one who waits ${span(noticesFollowAfter / 1000)}`,
  `by its /${prefix}`,
  `${span(minute)}, ${span(codeLimit.seconds)}, ${span(hour)}, a UTC day`,
  `A client that ignores ${refusals['too-many-requests'][0]}`,
  `everyone gets ${refusals.unavailable[0]}`,
  `its tokens get ${refusals.unavailable[0]}`,
  `a ${refusals['invalid-access-token'][0]} would log people out`,
  `A ${routes['forgot-password'].reply[0]} for a request that was dropped`,
  `told so (${refusalAmong(['bad-credentials'], 'second-factor-required')[0]} \`second-factor-required\`)`,
  `JSON media type: ${refusals['unsupported-media-type'][0]}`,
  `${step} seconds, ${inWords(digits)} digits`,
  `one of ${inWords(recoveryCodes.length)} recovery codes of ${recoveryBits} bits`,
  `${inWords(codeLimit.limit)} wrong ones in ${codeLimit.seconds / minute} minutes`,
  `a password reset clears once ${span(windowsCleared.seconds)}`,
  `${inWords(wrongCodesInARow)} in a row`,
  `Of 10,000 accounts whose passwords somebody has, ${inWords(wrongCodesInARow)} guesses each open ${inWords(opened)}`,
  `The ${ordinals[codeLimit.limit]} wrong code, of ${span(codeLimit.seconds)}`,
  `lives for ${inWords(setupTokenLifetime / minute)} minutes`,

  `TLS ${tls} or newer`,
  `over TLS ${tls}`,
  `A secret of ${bitsOf(drawn.secret)} bits`,
  `A salt of ${bitsOf(drawn.session.salt)} bits for each session`,
  `| ${tokenBits} random bits |`,
  `| ${inCapitals(inWords(minutesOf(tripLifetime)))} minutes at most in the tab`,
  `| ${inCapitals(inWords(minutesOf(providerTokenLifetime)))} minutes; once it was used`,
  `an \`aud\` of its own, for ${inWords(minutesOf(providerTokenLifetime))} minutes`,
  `expires after ${minutesOf(setupTime)} minutes`,
  `| ${inCapitals(inWords(daysOf(lifetimes.undo)))} days, until the next change after them`,
  `| ${inCapitals(inWords(longestCount / day))} days at most |`,
  ...[...logDays].flatMap(days => [
    `| ${inCapitals(inWords(days / 30))} months |`,
    `in logs ${inWords(days / 30)} months`,
  ]),
  `A file of mode 0${fileMode}`,
  String(signingKey.KeySpec).replace('_', ' '),
  `truncated to ${inWords(digits)} digits`,
  `| ${secretBytes * 8} bits from Node's`,
  `kept for ${span(usualAge / 1000)}, those of a provider that is silent for ${span(lastAge / 1000)}`,
  `at most once ${span(fetchPause / 1000)}`,
  `a JWT of ${inWords(assertionLifetime / minute)} minutes`,
  `salt of ${Math.floor((salt.length * 6) / 8) * 8} bits`,
  `| ${tokenBits} bits from Node's`,
  `| ${tokenBits} bits, of recovery codes ${recoveryBits}, from Node's`,
  `${pseudonym(ada.email).length * 6} bits of it`,
]

/** Numbers that others decide. */
const ofOthers = [
  // NIST SP 800-63B-4 §3.1.1.2, §3.2.2.
  'At least 15 characters',
  'After 100 wrong passwords in a row',
  // DynamoDB's point-in-time recovery, KMS's rotation, CloudWatch's metrics and CloudTrail's history of events.
  'for 35 days, from a backup',
  'in backups 35 days more',
  'Every 365 days by KMS',
  '15 months, by CloudWatch',
  '90 days, by CloudTrail',
  // An operator's routine: NIST SP 800-57, part 1, §5.3.6.
  'Once a year by an operator',
]

/** Number words without a count. */
const uncounted = [
  'logs in twice',
  'moved twice',
  'is not two factors',
  'what took two factors',
  'no third party',
  'up to twice the number',
  'comes in the week',
  'the two entries',
]

/** Names by others that no source contains in this form: Fetch Metadata's, and KMS's. */
const namesOfOthers = ['Sec-Fetch-Site: same-origin', 'SYMMETRIC_DEFAULT']

/** References to standards, and names of algorithms. */
const standards =
  /\bSP 800-\w+(?:-\d)?|\bRFC \d+|§[\d.]+|ASVS 5\.0|\bASVS \d\.\d(?!\.)|\(ASVS 6\.7\)|\b\d{1,2}\.\d{1,2}\.\d{1,2}\b|\bAAL\d|\blevel [123]\b|SHA-(?:1|256)\b|\b[RPE]?S256\b|PKCS1-v1_5|AES-256(?:-GCM)?|Ed25519|\bIPv[46]\b|`\.p8`/g

const number =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|hundred|thousand|million|half|twice|third|fourth|fifth|tenth|eleventh|\w+thousandth)\b|\b(?:an?|one|each|per) (?:minute|quarter|hour|day|week|month|year)\b|\bin a second\b/i

/** The attributes of an account, by the beginning of their row in the inventory. */
const attributesOf = {
  Password: /^(?:former_)?password_hash$/,
  'One-time token of a link': /_token$/,
  'Session: ': /^sessions$/,
  'Account at a provider': /^identities$/,
  'Passkeys: ': /^passkey(?:s|_handle|_rp_id)$/,
  'Secret of a second factor': /_secret$/,
  'Recovery codes': /^recovery_codes$/,
  'Address, name, language, roles': /^(?:email|name|language|roles)$/,
  'New address of a pending change': /^email_verification_to$/,
  'Changes that an owner is told of': /^changes|^language_(?:before|until)$|^password_reset_lists$/,
  'Remembered IP addresses': /^remembered_remotes$/,
  'Id and token version of an account, flags, times':
    /^id$|^token_version$|^is_|^invited_until$|_(?<!changes_)at$|_by$|_expires$|^totp_(?:last_step|pending_by_passkey)$|^reset_verifies$|^wrong_codes$/,
}

/** A status and its code. */
const refusal = /(\d{3}) `([a-z-]+)`/g

describe('the tables of security', () => {
  test('have the code’s numbers, and no others but those of standards and AWS', async () => {
    const facts = factsOf(await rememberedDays())
    const known = [...facts, ...ofOthers, ...uncounted]
    expect(known.filter(text => !cells.some(cell => cell.includes(text)))).toEqual([])
    const isRefusal = (text: string, status: string, code: string) =>
      refusals[code as ErrorCode]?.[0] === Number(status) ? '' : text
    const left = cells.map(cell =>
      known
        .reduce((rest, fact) => rest.replaceAll(fact, '|'), cell.replaceAll(refusal, isRefusal))
        .replaceAll(standards, ''),
    )
    expect(left.filter(cell => number.test(cell))).toEqual([])
  })

  test('name nothing that the product does not', () => {
    const sources = globSync('{accounts,api,catalogue,functions,infra,local,operations,shared}/**/*.{ts,html}', {
      cwd: root,
    }).map(read)
    const product = [read('package.json'), ...sources].join('\n')
    const named = new Set(cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)))
    const isKnown = (name: string): boolean => {
      if (/^[A-Z][A-Z_]{3,}(?:=|$)/.test(name)) return (name.split('=')[0] ?? '') in settingsTable
      if (/^[\w./-]+\/[\w.-]*$/.test(name) && !name.startsWith('/')) return existsSync(join(root, name))
      // For `email#…` the key's prefix, for `npm run keys -- list` the script.
      const [fixed = ''] = name.replace('npm run ', '').split(/[<…=]| -- | … /)
      return new RegExp(`(?<![\\w-])${fixed.trim().replaceAll(/[^\w\s-]/g, '\\$&')}(?![\\w-])`).test(product)
    }
    expect(named.size).toBeGreaterThan(80)
    expect([...named].filter(name => !isKnown(name) && !namesOfOthers.includes(name))).toEqual([])
  })

  test('say on a page what to answer a person who asks for their data', () => {
    expect(dataOfPeople).toContain('| Access log |')
    expect(dataOfPeople.trim().split('\n').length).toBeLessThanOrEqual(25)
  })

  test('have each attribute of an account in one row', () => {
    const rows = read('docs/security-inventory.md').match(/^\| .*`Accounts`.*/gm) ?? []
    expect(Object.keys(attributesOf).filter(row => !rows.some(each => each.startsWith(`| ${row}`)))).toEqual([])
    const rowsOf = (name: string) => Object.values(attributesOf).filter(names => names.test(name))
    expect(Object.keys(attributes).filter(name => rowsOf(name).length !== 1)).toEqual([])
  })

  test('name requirements that OWASP ASVS has', () => {
    const named = cells.flatMap(cell => cell.match(/(?<![§\d.])\d{1,2}\.\d{1,2}\.\d{1,2}\b/g) ?? [])
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(id => levelOf(id) === null)).toEqual([])
  })
})
