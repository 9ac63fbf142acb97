import { DecryptCommand, EncryptCommand, GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
import type { FactorKey } from '../accounts/factor.ts'
import type { ProviderSecrets } from '../accounts/providers/client-secret.ts'
import type { Signer } from '../accounts/tokens/access-token.ts'
import type { PublicKeys } from '../accounts/tokens/authentication.ts'
import { publishedKey } from '../accounts/tokens/public-key.ts'
import { DomainError } from '../base/errors.ts'
import { factorContextKey, providerContextKey } from './attributes.ts'
import { callAws, clientConfig } from './aws.ts'

/** The keys in KMS. A key's id is read on use: it may be the variable of a key that this stack does not have. */

/** One for all keys: to make a client, and to connect it, is much of what a cold start takes. */
let client: KMSClient | undefined
const kms = () => {
  client ??= new KMSClient(clientConfig)
  return client
}

/** The key that signs tokens. */
export function signingKey(idOf: () => string): Signer {
  const client = kms()
  return {
    get keyId() {
      return idOf()
    },
    async sign(data) {
      const signed = await callAws(
        client.send(
          new SignCommand({
            KeyId: idOf(),
            Message: data,
            MessageType: 'RAW',
            SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
          }),
        ),
      )
      return required(signed.Signature)
    },
  }
}

/** The public keys by which tokens are verified, which are asked for once. A failure is not kept. */
export function publishedKeys(ids: readonly string[]): PublicKeys {
  const client = kms()
  const fetchKey = async (KeyId: string) => {
    const { PublicKey } = await callAws(client.send(new GetPublicKeyCommand({ KeyId })))
    return publishedKey(KeyId, required(PublicKey))
  }
  let answer: ReturnType<PublicKeys> | undefined
  return () => {
    answer ??= Promise.all(ids.map(fetchKey)).then(
      keys => ({ keys }),
      (error: unknown) => {
        answer = undefined
        throw error
      },
    )
    return answer
  }
}

/** It encrypts with a symmetric key. What is encrypted for one account cannot be decrypted for another. */
export function factorKeyOf(idOf: () => string): FactorKey {
  const client = kms()
  const keyFor = (account: string) => ({ KeyId: idOf(), EncryptionContext: { [factorContextKey]: account } })
  return {
    async encrypt(account, Plaintext) {
      const encrypted = await callAws(client.send(new EncryptCommand({ ...keyFor(account), Plaintext })))
      return required(encrypted.CiphertextBlob)
    },
    async decrypt(account, CiphertextBlob) {
      const decrypted = await callAws(client.send(new DecryptCommand({ ...keyFor(account), CiphertextBlob })))
      return required(decrypted.Plaintext)
    },
  }
}

/** The errors of KMS that say that a ciphertext is not of this key and provider, or that the key is not in use, or denied to this role. */
const undecipherable = /^(?:InvalidCiphertext|IncorrectKey|Disabled|KMSInvalidState|NotFound|AccessDenied)Exception$/

/** The key of the providers' secrets, each of which it decrypts once. */
export function providerKey(idOf: () => string): ProviderSecrets {
  const known = new Map<string, Uint8Array>()
  const decrypt = async (provider: string, CiphertextBlob: Uint8Array): Promise<Uint8Array | null> => {
    const command = new DecryptCommand({
      KeyId: idOf(),
      EncryptionContext: { [providerContextKey]: provider },
      CiphertextBlob,
    })
    const decrypted = await callAws(
      kms()
        .send(command)
        .catch((error: unknown) => {
          if (error instanceof Error && undecipherable.test(error.name)) return null
          throw error
        }),
    )
    return decrypted && required(decrypted.Plaintext)
  }
  return {
    async decrypt(provider, ciphertext) {
      const text = `${provider} ${Buffer.from(ciphertext).toString('base64')}`
      const plaintext = known.get(text) ?? (await decrypt(provider, ciphertext))
      if (plaintext !== null) known.set(text, plaintext)
      return plaintext
    },
  }
}

/** The SDK types every member of an answer as optional. */
function required<T>(member: T | undefined): T {
  if (member === undefined) throw new DomainError('unavailable')
  return member
}
