import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { type CBORType, encodeCBOR } from '@levischuck/tiny-cbor'
import type { ChallengePurpose } from '../accounts/passkey/challenge.ts'
import { toPasskeyItems } from '../accounts/passkey/passkey.ts'
import { keyIn } from '../shared/base/families.ts'

/** A passkey of the domain `rpId`, with its authenticator's answers: P-256, like most. */

export const rpId = 'example.com'
export const passkeyOrigin = 'https://api.example.com'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const hash = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const newId = (): Buffer => randomBytes(32)
const id = base64url(newId())
const handle = base64url(randomBytes(64))

/** Members of its account's item. */
export const passkeyMembers = {
  is_verified: true,
  passkey_handle: handle,
  passkey_rp_id: rpId,
  passkeys: toPasskeyItems([
    {
      id,
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
      transports: ['internal', 'hybrid'],
      signCount: 0,
      backupEligible: true,
      backedUp: true,
      label: 'Phone',
      createdAt: new Date(),
      lastUsedAt: null,
    },
  ]),
}
export { handle as passkeyHandle, id as passkeyId }

/** UP, UV, BE and BS (WebAuthn Level 3 §6.1), and AT for a new passkey. */
const flags = { get: 0x1d, create: 0x5d }

const challenges = { login: base64url(newId()), 'passkeys/confirm': base64url(newId()) }
type Purpose = keyof typeof challenges

/** A challenge by its key in the table of counters. @param accountId of the account that confirms a passkey */
export function challengeLike(key: string, accountId: string): object | undefined {
  for (const purpose of Object.keys(challenges) as (Purpose & ChallengePurpose)[])
    if (key === keyIn('Challenges', hash(challenges[purpose]).toString('base64url')))
      return { purpose, id: purpose === 'login' ? null : accountId, expires_at: '2100-01-01T00:00:00.000Z' }
  return undefined
}

const clientData = (type: string, challenge: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin: passkeyOrigin, crossOrigin: false }))

const authenticatorData = (bits: number, ...credential: Uint8Array[]): Buffer =>
  Buffer.concat([hash(rpId), new Uint8Array([bits, 0, 0, 0, 0]), ...credential])

/** An assertion that logs in. */
export function assertion(): object {
  const data = authenticatorData(flags.get)
  const client = clientData('webauthn.get', challenges.login)
  const signature = sign('sha256', Buffer.concat([data, hash(client)]), privateKey)
  const response = { clientDataJSON: client, authenticatorData: data, signature }
  const texts = Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, base64url(bytes)]))
  return { id, rawId: id, type: 'public-key', response: { ...texts, userHandle: handle } }
}

/** Another passkey of the same account. */
export function newCredential(): object {
  const another = newId()
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  // EC2, ES256, P-256 (RFC 9053 §2.1, §7.1).
  const cose = encodeCBOR(
    new Map<number, CBORType>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  )
  const credential = [new Uint8Array(16), new Uint8Array([0, another.length]), another, cose]
  const authData = new Uint8Array(authenticatorData(flags.create, ...credential))
  const object = encodeCBOR(
    new Map<string, CBORType>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]),
  )
  const response = {
    clientDataJSON: base64url(clientData('webauthn.create', challenges['passkeys/confirm'])),
    attestationObject: base64url(object),
    transports: ['internal'],
  }
  return { id: base64url(another), rawId: base64url(another), type: 'public-key', response }
}
