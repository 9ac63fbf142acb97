import { generateKeyPair, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../start-error.ts'
import type { KeyDefinition } from '../template/read-stack.ts'

const generate = promisify(generateKeyPair)

/** The material of a key. */
export interface KeyMaterial {
  /** PEM (PKCS #8) for signing, 256 bits in base64 for encryption. */
  secret: string
  createdAt: Date
}

/** The material of each key, the same at each call. */
export type KeyMaterials = (definition: KeyDefinition) => Promise<KeyMaterial>

/** Finds or makes the material of keys. @param directory of the keys; null for new keys at each start */
export function keyMaterials(directory: string | null): KeyMaterials {
  const known = new Map<string, Promise<KeyMaterial>>()
  return definition => {
    const material = known.get(definition.id) ?? materialOf(definition, directory)
    known.set(definition.id, material)
    return material
  }
}

/** Whether a key encrypts; the others sign. */
export const isSymmetric = ({ KeySpec }: KeyDefinition): boolean => KeySpec === 'SYMMETRIC_DEFAULT'

/** The material of a key, made at the first start. @param directory of the keys; null for none */
const materialOf = async (definition: KeyDefinition, directory: string | null): Promise<KeyMaterial> =>
  readKey(definition, directory) ?? (await makeKey(definition, directory))

const fileOf = (definition: KeyDefinition, directory: string): string =>
  join(directory, `${definition.id}.${isSymmetric(definition) ? 'key' : 'pem'}`)

function readKey(definition: KeyDefinition, directory: string | null): KeyMaterial | null {
  if (directory === null) return null
  const file = fileOf(definition, directory)
  try {
    return { secret: readFileSync(file, 'utf8'), createdAt: statSync(file).mtime }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new StartError(
      `the key ${definition.id} in DATA_DIR cannot be read: ${String(error)}; set DATA_DIR to another directory`,
    )
  }
}

async function makeKey(definition: KeyDefinition, directory: string | null): Promise<KeyMaterial> {
  const secret = isSymmetric(definition) ? randomBytes(32).toString('base64') : await makePrivateKey(definition)
  if (directory !== null) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const file = fileOf(definition, directory)
    // Written to a new file and renamed: a half-written key would break every token, or every second factor.
    writeFileSync(`${file}.new`, secret, { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }
  return { secret, createdAt: new Date() }
}

async function makePrivateKey({ KeySpec }: KeyDefinition): Promise<string> {
  const { privateKey } = await generate('rsa', {
    modulusLength: Number(KeySpec.slice('RSA_'.length)),
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return privateKey
}
