import { createHash } from 'node:crypto'
import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { TextNetwork } from '../../shared/base/network.ts'
import type { ReasonOf, System } from '../../shared/base/system.ts'
import { hashPassword } from './hash.ts'
import type { Password } from './password.ts'

/** Have I Been Pwned, API v3, "Searching by range": it learns five digits of a hash, which hundreds of passwords share. */
const pwnedPasswords = 'https://api.pwnedpasswords.com'

/** Hexadecimal digits. */
export const sentDigits = 5

/** Answers of the same length hide which range was asked for: lines with a count of 0 fill them. */
const padded = { 'add-padding': 'true' }

/** Somebody waits. An answer has up to a thousand lines of 40 bytes. */
export const bounds = { deadline: 1000, maxBody: 128 * 1024 }

/** The other digits of a hash, and how often its password was found. */
const isLine = (text: string): boolean => /^[\dA-F]{35}:\d+$/.test(text)

export type BreachDeps = Pick<System, 'log'> &
  Configured<'blocklistUrl' | 'passwordBlocklist'> & { blocklistNetwork: TextNetwork }

/**
 * Refuses a new password that is known from a breach (NIST SP 800-63B-4 §3.1.1.2, OWASP ASVS 6.2.12).
 *
 * @throws {DomainError} `password-too-common`, where `PASSWORD_BLOCKLIST` is online
 */
export async function requireUnbreached(deps: BreachDeps, password: Password): Promise<void> {
  if (await isBreached(deps, password)) throw breached()
}

/**
 * Hashes a new password, which is looked up meanwhile.
 *
 * @throws {DomainError} as `requireUnbreached`
 */
export async function hashUnbreached(
  deps: BreachDeps & Parameters<typeof hashPassword>[0],
  password: Password,
): Promise<string> {
  const asked = isBreached(deps, password)
  const hash = await hashPassword(deps, password)
  if (await asked) throw breached()
  return hash
}

const breached = () =>
  new DomainError('password-too-common', {
    detail: 'This password has appeared in a breach; choose another one',
    members: { reason: 'breached' },
  })

/** Without an answer nobody is kept from choosing a password. It never rejects. */
async function isBreached(deps: BreachDeps, password: Password): Promise<boolean> {
  const { blocklistUrl, passwordBlocklist } = deps.config
  if (passwordBlocklist !== 'online') return false
  const digits = createHash('sha1').update(password).digest('hex').toUpperCase()
  const url = `${blocklistUrl ?? pwnedPasswords}/range/${digits.slice(0, sentDigits)}`
  const answer = await deps.blocklistNetwork.getText(url, padded, bounds).catch(() => null)
  if (answer === null) return unavailable(deps, 'silent')
  const lines = answer.text.trimEnd().split(/\r?\n/)
  if (answer.status !== 200 || !lines.every(isLine)) return unavailable(deps, 'answer')
  const [, count = 0] = lines.find(line => line.startsWith(digits.slice(sentDigits)))?.split(':') ?? []
  return Number(count) > 0
}

function unavailable({ log }: Pick<System, 'log'>, reason: ReasonOf<'blocklist-unavailable'>): false {
  log({ event: 'blocklist-unavailable', reason })
  return false
}
