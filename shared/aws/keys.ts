import { createPublicKey } from 'node:crypto'
import { DecryptCommand, EncryptCommand, GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
import type { JSONWebKeySet, JWK } from 'jose'
import { DomainError } from '../base/errors.ts'
import { factorContextKey, providerContextKey } from '../base/families.ts'
import type { ReasonOf, System } from '../base/system.ts'
import { timedClient } from '../base/timing.ts'
import { callAws, clientConfig } from './aws.ts'

/** The keys in KMS. A key's id is read on use: it may be the variable of a key that this stack lacks. */

/** One for all keys: making and connecting a client is much of a cold start. */
let client: KMSClient | undefined
const kms = () => {
  client ??= timedClient('KMS', new KMSClient(clientConfig))
  return client
}

type Log = Pick<System, 'log'>

/**
 * KMS errors that last until an operator acts: the key is disabled, pending deletion, gone, or denied to this role (AWS
 * KMS, "Key states of AWS KMS keys").
 */
const unusable = /^(?:Disabled|KMSInvalidState|NotFound|AccessDenied)Exception$/

const isUnusable = (error: unknown): boolean => error instanceof Error && unusable.test(error.name)

/** Awaits a call with a key, and logs an unusable key. @throws {DomainError} `unavailable` */
const callByKey = <T>({ log }: Log, key: string, reason: ReasonOf<'key-unusable'>, answer: Promise<T>): Promise<T> =>
  callAws(
    answer.catch((error: unknown) => {
      if (isUnusable(error)) log({ event: 'key-unusable', key, reason })
      throw error
    }),
  )

/** The key that signs tokens. */
export function signingKey(idOf: () => string, deps: Log) {
  const client = kms()
  return {
    get keyId() {
      return idOf()
    },
    async sign(data: Uint8Array) {
      const KeyId = idOf()
      const command = new SignCommand({
        KeyId,
        Message: data,
        MessageType: 'RAW',
        SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
      })
      const signed = await callByKey(deps, KeyId, 'Sign', client.send(command))
      return requireMember(signed.Signature)
    },
  }
}

/** A public RSA key in the key set: for RS256 signatures, under its id in KMS. */
export function publishedKey(kid: string, spki: Uint8Array): JWK {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  const { kty = '', n = '', e = '' } = key.export({ format: 'jwk' })
  return { kty, n, e, kid, alg: 'RS256', use: 'sig' }
}

const noKeys: JSONWebKeySet = { keys: [] }

/** The public keys that verify tokens, each fetched once. A failure is not kept. */
export function publishedKeys(ids: readonly string[], deps: Log) {
  const client = kms()
  const known = new Map<string, Promise<JSONWebKeySet>>()
  const fetchKey = async (KeyId: string): Promise<JSONWebKeySet> => {
    const answer = client.send(new GetPublicKeyCommand({ KeyId }))
    const { PublicKey } = await callByKey(deps, KeyId, 'GetPublicKey', answer)
    return { keys: [publishedKey(KeyId, requireMember(PublicKey))] }
  }
  const findListed = (id: string): Promise<JSONWebKeySet> => {
    const found =
      known.get(id) ??
      fetchKey(id).catch((error: unknown) => {
        known.delete(id)
        throw error
      })
    known.set(id, found)
    return found
  }
  const findUsable = (id: string): Promise<JSONWebKeySet> =>
    findListed(id).catch((error: unknown) => {
      if (error instanceof DomainError && isUnusable(error.cause)) return noKeys
      throw error
    })
  return {
    // Anybody's token can name any id: KMS is asked only for published keys.
    findById: async (id: string) => (ids.includes(id) ? findListed(id) : noKeys),
    async listUsable() {
      const keys = (await Promise.all(ids.map(findUsable))).flatMap(({ keys }) => keys)
      // Verifiers with an empty set would refuse every token.
      if (keys.length === 0) throw new DomainError('unavailable')
      return { keys }
    },
  }
}

/** Encrypts with a symmetric key. A ciphertext of one account cannot be decrypted for another. */
export function factorKeyOf(idOf: () => string, deps: Log) {
  const client = kms()
  const keyFor = (account: string) => ({ KeyId: idOf(), EncryptionContext: { [factorContextKey]: account } })
  return {
    async encrypt(account: string, Plaintext: Uint8Array) {
      const command = new EncryptCommand({ ...keyFor(account), Plaintext })
      const encrypted = await callByKey(deps, idOf(), 'Encrypt', client.send(command))
      return requireMember(encrypted.CiphertextBlob)
    },
    async decrypt(account: string, CiphertextBlob: Uint8Array) {
      const command = new DecryptCommand({ ...keyFor(account), CiphertextBlob })
      const decrypted = await callByKey(deps, idOf(), 'Decrypt', client.send(command))
      return requireMember(decrypted.Plaintext)
    },
  }
}

/** KMS errors for a ciphertext of another key or provider. */
const undecipherable = /^(?:InvalidCiphertext|IncorrectKey)Exception$/

const isUndecipherable = (error: unknown): boolean => error instanceof Error && undecipherable.test(error.name)

/** The key of the providers' secrets. Each is decrypted once. */
export function providerKey(idOf: () => string, deps: Log) {
  const known = new Map<string, Uint8Array>()
  const decrypt = async (provider: string, CiphertextBlob: Uint8Array): Promise<Uint8Array | null> => {
    const KeyId = idOf()
    const EncryptionContext = { [providerContextKey]: provider }
    const command = new DecryptCommand({ KeyId, EncryptionContext, CiphertextBlob })
    try {
      return requireMember((await callByKey(deps, KeyId, 'Decrypt', kms().send(command))).Plaintext)
    } catch (error) {
      const { cause } = error as Error
      if (isUndecipherable(cause) || isUnusable(cause)) return null
      throw error
    }
  }
  return {
    async decrypt(provider: string, ciphertext: Uint8Array): Promise<Uint8Array | null> {
      const text = `${provider} ${Buffer.from(ciphertext).toString('base64')}`
      const plaintext = known.get(text) ?? (await decrypt(provider, ciphertext))
      if (plaintext !== null) known.set(text, plaintext)
      return plaintext
    },
  }
}

/** The SDK types every member of an answer as optional. */
function requireMember<T>(member: T | undefined): T {
  if (member === undefined) throw new DomainError('unavailable')
  return member
}
