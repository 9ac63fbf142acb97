import * as v from 'valibot'
import { Email } from '../../accounts/address/shapes.ts'
import type { IdentityItem } from '../../accounts/identity/identity.ts'
import { identityKey, maxIdentities } from '../../accounts/identity/identity.ts'
import { Time } from './time.ts'

/** What a record holds of accounts at providers, which log in to the account. */

const noIdentities = `must be at most ${maxIdentities} different objects with issuer and subject, as export --with-hashes writes them`
const noIssuer = 'must have an issuer that is the address of a provider, such as https://accounts.google.com'
const noSubject = 'must have a subject of 1 to 255 characters'

const Identity = v.strictObject(
  {
    issuer: v.pipe(
      v.string(noIssuer),
      v.regex(/^https?:\/\/[!-~]{1,2000}$/, noIssuer),
      v.check(issuer => URL.canParse(issuer), noIssuer),
    ),
    // OpenID Connect Core §2, "sub".
    subject: v.pipe(
      v.string(noSubject),
      v.minLength(1, noSubject),
      v.maxLength(255, noSubject),
      // Half of a surrogate pair would have the key of any other.
      v.check(subject => subject.isWellFormed(), noSubject),
    ),
    email: v.optional(v.nullable(Email), null),
    connected_at: v.optional(v.nullable(Time), null),
  },
  noIdentities,
)
type RecordedIdentity = v.InferOutput<typeof Identity>

export const keyOf = ({ issuer, subject }: Pick<RecordedIdentity, 'issuer' | 'subject'>): string =>
  identityKey(issuer, subject)

export const identityEntries = {
  identities: v.optional(
    v.nullable(
      v.pipe(
        v.array(Identity, noIdentities),
        v.maxLength(maxIdentities, noIdentities),
        v.check(all => new Set(all.map(keyOf)).size === all.length, noIdentities),
      ),
    ),
    null,
  ),
}

/** Identities as an export writes them, the oldest first. */
export const recordOfIdentities = (items: Record<string, IdentityItem>): IdentityItem[] =>
  Object.values(items).sort((one, other) => (one.connected_at < other.connected_at ? -1 : 1))

/** @param at when they are connected, where the record does not say */
export const itemOfIdentities = (identities: readonly RecordedIdentity[], at: Date): Record<string, IdentityItem> =>
  Object.fromEntries(
    identities.map(({ issuer, subject, email, connected_at }) => [
      identityKey(issuer, subject),
      { issuer, subject, email, connected_at: (connected_at ?? at).toISOString() },
    ]),
  )
