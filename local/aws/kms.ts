import { createPublicKey, generateKeyPair, sign as signWith } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../start-error.ts'
import type { KeyDefinition } from '../template/read-stack.ts'
import { AwsError, type Service, textOf } from './service.ts'

const generate = promisify(generateKeyPair)
const sign = promisify(signWith)

/** The only supported algorithm, and its digest in node:crypto. */
const signingAlgorithm = 'RSASSA_PKCS1_V1_5_SHA_256'
const digest = 'sha256'

interface KeptKey {
  privateKey: string
  createdAt: Date
}

/**
 * KMS's Sign, GetPublicKey and DescribeKey, with keys that are created at the first start.
 *
 * @param directory where keys are kept; null for new keys at each start
 */
export async function kms(definitions: readonly KeyDefinition[], directory: string | null): Promise<Service> {
  const keys = new Map<string, KeptKey>()
  const asymmetric = definitions.filter(({ KeySpec }) => KeySpec !== 'SYMMETRIC_DEFAULT')
  await Promise.all(
    asymmetric.map(async definition =>
      keys.set(definition.id, readKey(definition, directory) ?? (await makeKey(definition, directory))),
    ),
  )

  return async ({ action, input }) => {
    const KeyId = textOf(input, 'KeyId')
    const definition = definitions.find(({ id, arn }) => KeyId === id || KeyId === arn)
    if (!definition) throw new AwsError(400, 'NotFoundException', `Key '${KeyId}' does not exist`)
    const key = keys.get(definition.id)
    if (!key) throw new AwsError(400, 'InvalidKeyUsageException', `${definition.arn} is not a key that signs`)
    const answer = await answers[action]?.(definition, key, input)
    if (!answer) throw new AwsError(400, 'UnknownOperationException', `${action} is not supported locally`)
    return {
      status: 200,
      headers: { 'content-type': 'application/x-amz-json-1.1' },
      body: JSON.stringify({ KeyId: definition.arn, ...answer }),
    }
  }
}

const answers: Record<
  string,
  (definition: KeyDefinition, key: KeptKey, input: Parameters<typeof textOf>[0]) => Promise<object>
> = {
  async DescribeKey({ id, arn, KeySpec }, { createdAt }) {
    const CreationDate = createdAt.getTime() / 1000
    return { KeyMetadata: { KeyId: id, Arn: arn, CreationDate, KeySpec, KeyUsage: 'SIGN_VERIFY', KeyState: 'Enabled' } }
  },
  async GetPublicKey({ KeySpec }, { privateKey }) {
    const PublicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
    return { PublicKey, KeySpec, KeyUsage: 'SIGN_VERIFY', SigningAlgorithms: [signingAlgorithm] }
  },
  async Sign(_, { privateKey }, input) {
    if (textOf(input, 'SigningAlgorithm') !== signingAlgorithm || textOf(input, 'MessageType') === 'DIGEST') {
      throw new AwsError(400, 'ValidationException', `Only ${signingAlgorithm} of RAW messages is supported locally`)
    }
    const message = Buffer.from(textOf(input, 'Message'), 'base64')
    // AWS KMS, "Sign": a raw message has 1 to 4,096 bytes.
    if (message.length < 1 || message.length > 4096) {
      throw new AwsError(400, 'ValidationException', "'message' must have 1 to 4096 bytes")
    }
    const signature = await sign(digest, message, privateKey)
    return { Signature: signature.toString('base64'), SigningAlgorithm: signingAlgorithm }
  },
}

function readKey({ id }: KeyDefinition, directory: string | null): KeptKey | null {
  if (directory === null) return null
  const file = join(directory, `${id}.pem`)
  try {
    return { privateKey: readFileSync(file, 'utf8'), createdAt: statSync(file).mtime }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new StartError(`the signing key ${id} cannot be read: ${String(error)}`)
  }
}

async function makeKey({ id, KeySpec }: KeyDefinition, directory: string | null): Promise<KeptKey> {
  const { privateKey } = await generate('rsa', {
    modulusLength: Number(KeySpec.slice('RSA_'.length)),
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  if (directory !== null) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const file = join(directory, `${id}.pem`)
    // Written to a new file and renamed: a half-written key would void every token.
    writeFileSync(`${file}.new`, privateKey, { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }
  return { privateKey, createdAt: new Date() }
}
