import { expect, test } from 'vitest'
import { keyMaterials } from '../../../local/aws/key-materials.ts'
import { kms } from '../../../local/aws/kms.ts'
import { protocols } from '../../../local/aws/protocols.ts'

/** Encrypt and Decrypt, compared with AWS's documentation (AWS KMS API Reference, and "Encryption context"). */

const arn = (id: string) => `arn:aws:kms:us-east-1:000000000000:key/${id}`
const keys = ['Factors', 'Others'].map(
  id => ({ id, arn: arn(id), KeySpec: 'SYMMETRIC_DEFAULT', KeyPolicy: {} }) as const,
)
const service = await kms(
  [...keys, { id: 'Signs', arn: arn('Signs'), KeySpec: 'RSA_2048', KeyPolicy: {} }],
  keyMaterials(null),
)

const call = async (action: string, input: object) => {
  const read = { method: 'POST', path: '/', headers: {}, body: '', action, input: { KeyId: 'Factors', ...input } }
  return JSON.parse((await service(read)).body)
}
const base64 = (bytes: number) => Buffer.alloc(bytes, 'x').toString('base64')
const EncryptionContext = { account: 'ada' }
const encrypted = await call('Encrypt', { Plaintext: base64(20), EncryptionContext })
const { CiphertextBlob } = encrypted

test('Encrypt names its key, and never writes the same text twice', async () => {
  expect(encrypted).toEqual({
    KeyId: arn('Factors'),
    CiphertextBlob: expect.any(String),
    EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
  })
  const again = await call('Encrypt', { Plaintext: base64(20), EncryptionContext })
  expect(again.CiphertextBlob).not.toBe(CiphertextBlob)
})

test('Decrypt returns what was encrypted, with the context that it was encrypted with', async () => {
  expect(await call('Decrypt', { CiphertextBlob, EncryptionContext })).toEqual({
    KeyId: arn('Factors'),
    Plaintext: base64(20),
    EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
  })
})

test('the order of a context’s pairs does not matter', async () => {
  const { CiphertextBlob } = await call('Encrypt', { Plaintext: base64(1), EncryptionContext: { a: '1', b: '2' } })
  const { Plaintext } = await call('Decrypt', { CiphertextBlob, EncryptionContext: { b: '2', a: '1' } })
  expect(Plaintext).toBe(base64(1))
})

const changed = Buffer.from(CiphertextBlob, 'base64')
changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1

test.each<[string, string, object, string]>([
  ['Decrypt', 'without its context', { CiphertextBlob }, 'InvalidCiphertextException'],
  [
    'Decrypt',
    'with another context',
    { CiphertextBlob, EncryptionContext: { account: 'eve' } },
    'InvalidCiphertextException',
  ],
  [
    'Decrypt',
    'with a context in another case',
    { CiphertextBlob, EncryptionContext: { Account: 'ada' } },
    'InvalidCiphertextException',
  ],
  [
    'Decrypt',
    'with one pair more',
    { CiphertextBlob, EncryptionContext: { ...EncryptionContext, more: '' } },
    'InvalidCiphertextException',
  ],
  [
    'Decrypt',
    'of a changed text',
    { CiphertextBlob: changed.toString('base64'), EncryptionContext },
    'InvalidCiphertextException',
  ],
  ['Decrypt', 'of a text that is none', { CiphertextBlob: base64(9), EncryptionContext }, 'InvalidCiphertextException'],
  ['Decrypt', 'of nothing', { EncryptionContext }, 'ValidationException'],
  ['Decrypt', 'with another key', { KeyId: 'Others', CiphertextBlob, EncryptionContext }, 'IncorrectKeyException'],
  ['Decrypt', 'with a key that signs', { KeyId: 'Signs', CiphertextBlob }, 'InvalidKeyUsageException'],
  [
    'Decrypt',
    'by an algorithm of RSA',
    { CiphertextBlob, EncryptionAlgorithm: 'RSAES_OAEP_SHA_256' },
    'InvalidKeyUsageException',
  ],
  ['Decrypt', 'with a key that is not there', { KeyId: 'None', CiphertextBlob }, 'NotFoundException'],
  ['Encrypt', 'of nothing', { Plaintext: '' }, 'ValidationException'],
  ['Encrypt', 'of more than 4,096 bytes', { Plaintext: base64(4097) }, 'ValidationException'],
  [
    'Encrypt',
    'with a context that is no map of texts',
    { Plaintext: base64(1), EncryptionContext: { a: 1 } },
    'SerializationException',
  ],
  ['Sign', 'with a key that encrypts', { Message: base64(1) }, 'InvalidKeyUsageException'],
])('%s %s is refused', async (action, _, input, name) => {
  await expect(call(action, input)).rejects.toMatchObject({ status: 400, name })
})

test('Encrypt takes 4,096 bytes, and Decrypt what it makes of them', async () => {
  const { CiphertextBlob } = await call('Encrypt', { Plaintext: base64(4096) })
  expect((await call('Decrypt', { CiphertextBlob })).Plaintext).toBe(base64(4096))
})

test.each(['', '[]', 'null'])('the body %j is refused, because it is no object', body => {
  const request = { method: 'POST', path: '/', headers: {}, body }
  expect(() => protocols.kms.read(request)).toThrow(
    expect.objectContaining({ status: 400, code: 'SerializationException' }),
  )
})
