import * as v from 'valibot'
import { knownTransports } from '../../accounts/passkey/attestation.ts'
import { maxPasskeys, type PasskeyItem, passkeyKey } from '../../accounts/passkey/passkey.ts'
import { readKey } from '../../accounts/passkey/public-key.ts'
import { FormerLabel } from '../../shared/base/shapes.ts'

/** What a record holds of passkeys: public keys, and the handle by which a login finds the account. */

const noPasskeys = `must be at most ${maxPasskeys} different passkeys, as export --with-hashes writes them`
const noHandle = 'must be 64 bytes in base64url'
const noRpId = 'must be a host name'

const fits = (schema: v.GenericSchema) => v.custom<string>(text => v.is(schema, text), noPasskeys)
/** As accounts store it: some times that ISO 8601 has, such as one with an offset of `+01`, are none to `Date`. */
const isTime = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text && Date.parse(text) <= Date.now()
const time = v.pipe(v.string(noPasskeys), v.check(isTime, noPasskeys))
const flag = v.boolean(noPasskeys)

const Passkey = v.pipe(
  v.strictObject(
    {
      // As many as 1,023 bytes (WebAuthn Level 3 §5.8.3).
      credential_id: v.pipe(v.string(noPasskeys), v.regex(/^[\w-]{1,1364}$/, noPasskeys)),
      public_key: v.pipe(
        v.string(noPasskeys),
        v.base64(noPasskeys),
        v.transform(text => new Uint8Array(Buffer.from(text, 'base64'))),
        v.check(spki => readKey(spki) !== null, noPasskeys),
      ),
      transports: v.array(v.picklist(knownTransports, noPasskeys), noPasskeys),
      // Four bytes (WebAuthn Level 3 §6.1).
      sign_count: v.pipe(
        v.number(noPasskeys),
        v.safeInteger(noPasskeys),
        v.minValue(0, noPasskeys),
        v.maxValue(2 ** 32 - 1, noPasskeys),
      ),
      backup_eligible: flag,
      backed_up: flag,
      label: fits(FormerLabel),
      created_at: time,
      last_used_at: v.nullable(time),
    },
    noPasskeys,
  ),
  v.check(({ backup_eligible, backed_up }) => backup_eligible || !backed_up, noPasskeys),
)

export const passkeyEntries = {
  passkeys: v.optional(
    v.nullable(
      v.pipe(
        v.array(Passkey, noPasskeys),
        v.maxLength(maxPasskeys, noPasskeys),
        v.check(all => new Set(all.map(({ credential_id }) => credential_id)).size === all.length, noPasskeys),
      ),
    ),
    null,
  ),
  passkey_handle: v.optional(v.nullable(v.pipe(v.string(noHandle), v.regex(/^[\w-]{85}[AQgw]$/, noHandle))), null),
  passkey_rp_id: v.optional(v.nullable(v.pipe(v.string(noRpId), v.regex(/^[a-z\d.-]{1,253}$/, noRpId))), null),
}

type RecordedPasskeys = NonNullable<v.InferOutput<typeof passkeyEntries.passkeys>>

/** Passkeys as an export writes them, the oldest first. */
export const recordOfPasskeys = (items: Record<string, PasskeyItem> = {}) =>
  Object.values(items)
    .map(({ public_key, last_used_at = null, ...item }) => ({
      ...item,
      public_key: Buffer.from(public_key).toString('base64'),
      last_used_at,
    }))
    .sort((one, other) => (one.created_at < other.created_at ? -1 : 1))

export const itemOfPasskeys = (passkeys: RecordedPasskeys): Record<string, PasskeyItem> =>
  Object.fromEntries(
    passkeys.map(({ last_used_at, ...passkey }) => [
      passkeyKey(passkey.credential_id),
      { ...passkey, ...(last_used_at !== null && { last_used_at }) },
    ]),
  )
