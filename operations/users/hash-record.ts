import * as v from 'valibot'
import { bounds, brokenBounds, ownForm, readAs, type StoredHash } from '../../accounts/password/form.ts'
import { readOtherHash } from '../../accounts/password/forms.ts'

/** How an account without a usable hash is imported. */
export const wayOut = '(--no-passwords imports the account without one)'

/**
 * What people bring besides, by name. These are rare where people come from, need more than the password, such as a user name
 * for salt, or are guessed at once.
 */
export const notTaken: readonly (readonly [pattern: RegExp, name: string, written: string])[] = [
  [
    /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{128})$/i,
    'an unsalted digest',
    '32, 40, 64 or 128 hexadecimal digits alone',
  ],
  [/^(?:md5|sha1)\$/, 'a plain digest', '`md5$…`, `sha1$…`'],
  [/^U\$S\$/, 'an unsalted digest that was hashed once more', '`U$S$…`'],
  [/^\$(?:1|5|6|y|apr1)\$/, "a hash of Unix's crypt", '`$1$…`, `$5$…`, `$6$…`, `$y$…`, `$apr1$…`'],
  [/^\{/, 'a hash in braces, as LDAP and Spring write it', '`{SSHA}…` and all others but `{bcrypt}$2a$…`'],
  [/^\$2x\$/, 'a hash of a bcrypt that is known to be broken', '`$2x$…`'],
  [
    /^(?:argon2)?\$argon2(?:id|i|d)\$.*\b(?:keyid|data)=/,
    'an argon2 hash with a key or data',
    '`keyid=…` or `data=…` among its parameters',
  ],
  [/^(?:argon2)?\$argon2(?:id|i|d)\$(?:v=16\$)?m=/, 'an argon2 hash of version 16', '`v=16`, or no version'],
]

const noHash = `must be a hash of a form that docs/migrate.md lists ${wayOut}`

/** Why no login verifies a hash, by the bound or the form, never quoting it. @returns null where one does */
function faultOf(hash: string): string | null {
  const read = readHash(hash)
  if (read === null) {
    const [, name] = notTaken.find(([pattern]) => pattern.test(hash)) ?? []
    return name === undefined ? noHash : `is ${name}, which is not taken ${wayOut}`
  }
  const [name] = brokenBounds(read)
  if (name === undefined) return null
  const { min, max } = bounds[name]
  return `must have ${name} from ${counted(min)} to ${counted(max)}: no login verifies another ${wayOut}`
}

/** A stored hash, kept as it is written. */
export const Hash = v.pipe(
  v.string(noHash),
  v.check(
    hash => faultOf(hash) === null,
    ({ input }) => faultOf(input) ?? noHash,
  ),
)

/** A number, for people. */
export const counted = (n: number): string => n.toLocaleString('en')

/** Form and cost of a hash, for programs. @returns null where no password matches it */
export function shownHash(hash: string): { form: string; [parameter: string]: string | number } | null {
  const read = readHash(hash)
  return read && { form: read.name, ...read.parameters }
}

/** The same, for people. */
export function describeHash(hash: string): string | null {
  const read = readHash(hash)
  if (read === null) return null
  const parameters = Object.entries(read.parameters).map(([name, value]) =>
    name === 'rounds' ? `${counted(value)} rounds` : `${name} ${counted(value)}`,
  )
  return [read.name, ...parameters, ...(read.name === ownForm.name ? [] : ['from before'])].join(', ')
}

/** Reads a stored hash of any form, within its bounds or not. @returns null for any other text */
export const readHash = (hash: string): StoredHash | null => readAs(ownForm, hash) ?? readOtherHash(hash)
