import { createCipheriv, createDecipheriv, createPublicKey, randomBytes, sign as signWith } from 'node:crypto'
import { promisify } from 'node:util'
import type { KeyDefinition } from '../template/read-stack.ts'
import type { Deployment } from '../template/return-values.ts'
import type { JsonObject } from '../template/template.ts'
import { isSymmetric, type KeyMaterial, type KeyMaterials } from './key-materials.ts'
import { AwsError, type Service, textOf } from './service.ts'

const sign = promisify(signWith)

/** The only supported signing algorithm, and the name of its digest in node:crypto. */
const signingAlgorithm = 'RSASSA_PKCS1_V1_5_SHA_256'
const digest = 'sha256'

/** The only algorithm of symmetric keys (AWS KMS, "SYMMETRIC_DEFAULT key spec"). */
const encryptionAlgorithm = 'SYMMETRIC_DEFAULT'

type Key = KeyMaterial & { definition: KeyDefinition }

/**
 * The error for an unusable key (AWS KMS, "Key states of AWS KMS keys"), by the key's fault. A denied caller, or one
 * that names a deleted key, learns no state.
 */
export const refusals = {
  Disabled: 'DisabledException',
  PendingDeletion: 'KMSInvalidStateException',
  Denied: 'AccessDeniedException',
  Deleted: 'NotFoundException',
} as const

/** The unusable keys, by id. */
export type KeyFaults = Map<string, keyof typeof refusals>

/** KMS's DescribeKey; Sign and GetPublicKey with RSA keys, Encrypt and Decrypt with symmetric ones. Keys are made at the first start. */
export async function kms(
  definitions: readonly KeyDefinition[],
  materials: KeyMaterials,
  faults: KeyFaults = new Map(),
): Promise<Service> {
  const keys = await Promise.all(
    definitions.map(async (definition): Promise<Key> => ({ definition, ...(await materials(definition)) })),
  )

  return async ({ action, input }) => {
    const KeyId = textOf(input, 'KeyId')
    const key = keys.find(({ definition: { id, arn } }) => KeyId === id || KeyId === arn)
    if (!key) throw new AwsError(400, 'NotFoundException', `Key '${KeyId}' does not exist`)
    const [supported, unsupported] = isSymmetric(key.definition) ? [encryption, signing] : [signing, encryption]
    if (action in unsupported) {
      throw new AwsError(400, 'InvalidKeyUsageException', `${key.definition.arn} is not a key for ${action}`)
    }
    const fault = faults.get(key.definition.id)
    const isDescribed = action === 'DescribeKey' && (fault === 'Disabled' || fault === 'PendingDeletion')
    if (fault && !isDescribed) throw new AwsError(400, refusals[fault], `${key.definition.arn}: ${fault}`)
    const answers: Answers = { ...supported, DescribeKey: key => describe(key, fault) }
    const answer = await answers[action]?.(key, input)
    if (!answer) throw new AwsError(400, 'UnknownOperationException', `${action} is not supported locally`)
    return {
      status: 200,
      headers: { 'content-type': 'application/x-amz-json-1.1' },
      body: JSON.stringify({ KeyId: key.definition.arn, ...answer }),
    }
  }
}

type Answers = Record<string, (key: Key, input: JsonObject) => Promise<object> | object>

function describe({ definition, createdAt }: Key, KeyState = 'Enabled') {
  const { id, arn, KeySpec } = definition
  const CreationDate = createdAt.getTime() / 1000
  const KeyUsage = isSymmetric(definition) ? 'ENCRYPT_DECRYPT' : 'SIGN_VERIFY'
  return { KeyMetadata: { KeyId: id, Arn: arn, CreationDate, KeySpec, KeyUsage, KeyState } }
}

const signing: Answers = {
  GetPublicKey({ definition: { KeySpec }, secret }) {
    const PublicKey = createPublicKey(secret).export({ type: 'spki', format: 'der' }).toString('base64')
    return { PublicKey, KeySpec, KeyUsage: 'SIGN_VERIFY', SigningAlgorithms: [signingAlgorithm] }
  },
  async Sign({ secret }, input) {
    if (textOf(input, 'SigningAlgorithm') !== signingAlgorithm || textOf(input, 'MessageType') === 'DIGEST') {
      throw invalid(`Only ${signingAlgorithm} of RAW messages is supported locally`)
    }
    // AWS KMS, "Sign": a raw message has 1 to 4,096 bytes.
    const signature = await sign(digest, bytesOf(input, 'Message', 4096), secret)
    return { Signature: signature.toString('base64'), SigningAlgorithm: signingAlgorithm }
  },
}

/** Bytes of AES-GCM's nonce and tag (NIST SP 800-38D §5.2.1). */
const [nonceLength, tagLength] = [12, 16]

function encrypt({ definition, secret }: Key, input: JsonObject) {
  // AWS KMS, "Encrypt": 1 to 4,096 bytes.
  const plaintext = bytesOf(input, 'Plaintext', 4096)
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(secret, 'base64'), nonce)
  cipher.setAAD(contextOf(input))
  const encrypted = [cipher.update(plaintext), cipher.final()]
  const blob = Buffer.concat([labelOf(definition), nonce, ...encrypted, cipher.getAuthTag()])
  return { CiphertextBlob: blob.toString('base64'), EncryptionAlgorithm: encryptionAlgorithm }
}

const encryption: Answers = {
  Encrypt: encrypt,
  Decrypt({ definition, secret }, input) {
    // AWS KMS, "Decrypt": 1 to 6,144 bytes.
    const blob = bytesOf(input, 'CiphertextBlob', 6144)
    const rest = blob.subarray(1 + (blob[0] ?? 0))
    if (rest.length < nonceLength + tagLength) throw invalidCiphertext()
    // A ciphertext names its key, as on AWS.
    if (!labelOf(definition).equals(blob.subarray(0, -rest.length))) {
      throw new AwsError(400, 'IncorrectKeyException', 'The key in the request is not the one that encrypted this')
    }
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(secret, 'base64'), rest.subarray(0, nonceLength))
    decipher.setAAD(contextOf(input))
    decipher.setAuthTag(rest.subarray(-tagLength))
    try {
      const plaintext = Buffer.concat([decipher.update(rest.subarray(nonceLength, -tagLength)), decipher.final()])
      return { Plaintext: plaintext.toString('base64'), EncryptionAlgorithm: encryptionAlgorithm }
    } catch {
      throw invalidCiphertext()
    }
  },
}

/** Encrypts a text under a symmetric key before its stack exists. @param logicalId the key's */
export async function encryptAhead(
  text: string,
  logicalId: string,
  EncryptionContext: Record<string, string>,
  { arn, keyId }: Pick<Deployment, 'arn' | 'keyId'>,
  materials: KeyMaterials,
): Promise<string> {
  const id = keyId(logicalId)
  const definition: KeyDefinition = { id, arn: arn('kms', `key/${id}`), KeySpec: 'SYMMETRIC_DEFAULT', KeyPolicy: {} }
  const Plaintext = Buffer.from(text).toString('base64')
  const key = { definition, ...(await materials(definition)) }
  return encrypt(key, { Plaintext, EncryptionContext }).CiphertextBlob
}

/** The head of a ciphertext: the length of its key's id, then the id. */
const labelOf = ({ id }: KeyDefinition): Buffer => Buffer.from(`${String.fromCharCode(id.length)}${id}`)

/** An encryption context as additional data, independent of the order of its pairs (AWS KMS, "Encryption context"). */
function contextOf({ EncryptionContext = {}, EncryptionAlgorithm = encryptionAlgorithm }: JsonObject): Buffer {
  if (EncryptionAlgorithm !== encryptionAlgorithm) {
    throw new AwsError(400, 'InvalidKeyUsageException', `A symmetric key knows ${encryptionAlgorithm} alone`)
  }
  const pairs = Object.entries(EncryptionContext ?? {})
  if (pairs.some(([, value]) => typeof value !== 'string')) {
    throw new AwsError(400, 'SerializationException', 'EncryptionContext is not a map of texts')
  }
  return Buffer.from(JSON.stringify(pairs.sort(([a], [b]) => (a < b ? -1 : 1))))
}

function bytesOf(input: JsonObject, member: string, maxBytes: number): Buffer {
  const bytes = Buffer.from(textOf(input, member), 'base64')
  if (bytes.length < 1 || bytes.length > maxBytes) throw invalid(`'${member}' must have 1 to ${maxBytes} bytes`)
  return bytes
}

const invalid = (message: string): AwsError => new AwsError(400, 'ValidationException', message)

/** AWS sends no message either. */
const invalidCiphertext = (): AwsError => new AwsError(400, 'InvalidCiphertextException', '')
