import * as v from 'valibot'
import { wrongCodesInARow } from '../../accounts/factor/factor.ts'

/** What a record holds of a second factor. */

const optional = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema), null)

/** @param form of each text */
const distinct = (form: RegExp, most: number, message: string) =>
  optional(
    v.pipe(
      v.array(v.pipe(v.string(message), v.regex(form, message)), message),
      v.maxLength(most, message),
      v.check(texts => new Set(texts).size === texts.length, message),
    ),
  )

const noSecret = 'must be a ciphertext of KMS in base64'

/** AWS KMS, "Decrypt": a ciphertext has at most 6,144 bytes. */
const maxCiphertext = 6144

const noStep = 'must be an integer from 0'
const noKey = 'must be the ARN of a key'

export const factorEntries = {
  totp_secret: optional(
    v.pipe(
      v.string(noSecret),
      v.base64(noSecret),
      v.transform(text => new Uint8Array(Buffer.from(text, 'base64'))),
      v.check(({ length }) => length > 0 && length <= maxCiphertext, noSecret),
    ),
  ),
  totp_last_step: optional(v.pipe(v.number(noStep), v.safeInteger(noStep), v.minValue(0, noStep))),
  /** As drawn: an account has ten at most (`codes/codes.ts`). */
  recovery_codes: distinct(
    /^[\da-f]{64}$/,
    10,
    'must be at most ten SHA-256 hashes, in lower-case hexadecimal, each once',
  ),
  wrong_codes: distinct(/^[\w-]{1,64}$/, wrongCodesInARow, `must be at most ${wrongCodesInARow} ids, each once`),
  factor_key: optional(v.pipe(v.string(noKey), v.regex(/^arn:aws[\w-]*:kms:[\w-]+:\d{12}:key\/[\w-]{1,64}$/, noKey))),
}
