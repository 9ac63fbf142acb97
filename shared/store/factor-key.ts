import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms'
import { factorContextKey } from './attributes.ts'

type Bytes = Promise<Uint8Array | undefined>

/** Calls KMS with a symmetric key. What is encrypted for one account cannot be decrypted for another. */
export function factorKey(kms: KMSClient, KeyId: string) {
  const contextOf = (account: string) => ({ EncryptionContext: { [factorContextKey]: account } })
  return {
    encrypt: async (account: string, Plaintext: Uint8Array): Bytes =>
      (await kms.send(new EncryptCommand({ KeyId, Plaintext, ...contextOf(account) }))).CiphertextBlob,
    decrypt: async (account: string, CiphertextBlob: Uint8Array): Bytes =>
      (await kms.send(new DecryptCommand({ KeyId, CiphertextBlob, ...contextOf(account) }))).Plaintext,
  }
}
