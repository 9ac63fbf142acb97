import { createHash, createHmac, createSecretKey } from 'node:crypto'
import type { Readable } from 'node:stream'
import { DomainError } from '../base/errors.ts'

/**
 * In milliseconds. DynamoDB, SQS, SES and KMS answer within tens of them. A call without an answer fails after three
 * attempts of one second and their backoff, so that the request is still answered within the function's 10 s, even if
 * it hashes a password.
 */
const timeouts = { connectionTimeout: 500, requestTimeout: 1000, throwOnRequestTimeout: true }

/**
 * SHA-256 and its HMAC (RFC 2104), with which the SDK signs each request. The SDK's own class passes key bytes to
 * `createHmac`: Node 24 then throws and catches two errors, which takes four times as long as the HMAC.
 */
class Sha256 {
  readonly #hash

  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    const keyObject = typeof key === 'object' ? createSecretKey(key as Uint8Array) : key
    this.#hash = keyObject === undefined ? createHash('sha256') : createHmac('sha256', keyObject)
  }

  update(data: string | Uint8Array): void {
    this.#hash.update(data)
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
}

/** Reads a whole answer. The SDK's own function pipes it through a new stream: 4 % of the CPU of a warm `get-me`. */
const streamCollector = (answer: Readable): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    answer
      .on('data', chunk => chunks.push(chunk))
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', reject)
  })

/** The configuration of every SDK client. */
export const clientConfig = { maxAttempts: 3, requestHandler: timeouts, sha256: Sha256, streamCollector }

/**
 * Awaits a call to AWS. A single write that conflicts with a transaction on its item (`TransactionConflictException`)
 * fails too: the account is moving, or its address being taken, and the caller's next attempt finds out.
 *
 * @throws {DomainError} `unavailable` when AWS answers with an error, or not at all
 */
export async function callAws<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    throw new DomainError('unavailable', { cause })
  }
}

/**
 * Awaits a conditional write.
 *
 * @returns null when the condition fails
 * @throws {DomainError} `unavailable`
 */
export const conditionalWrite = <T>(write: Promise<T>): Promise<T | null> => callAws(write.catch(nullWhenRefused))

function nullWhenRefused(error: unknown): null {
  // By name: importing the class would add a DynamoDB client to bundles that do not need one.
  if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return null
  throw error
}
