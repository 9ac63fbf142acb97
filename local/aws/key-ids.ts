import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'

const uuid = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`

/**
 * Names the keys that encrypt. Each data directory has keys of its own, and so ids of its own: a ciphertext from another one
 * is known by its key's ARN. An id is drawn before the key is made, whose file carries it from then on. Directories of 0.3.0
 * have `<logical id>.key`: that key keeps the logical id.
 *
 * @param directory where keys are kept; null for keys that nothing survives, whose ids are the logical ones
 * @returns the id of a key, by its logical id: the same one at each call
 */
export function keyIds(directory: string | null): (logicalId: string) => string {
  const drawn = new Map<string, string>()
  return logicalId => {
    const id = drawn.get(logicalId) ?? (directory === null ? logicalId : keptId(directory, logicalId))
    drawn.set(logicalId, id ?? `${logicalId}-${randomUUID()}`)
    return drawn.get(logicalId) as string
  }
}

function keptId(directory: string, logicalId: string): string | undefined {
  const isKey = new RegExp(`^${logicalId}(?:-${uuid})?\\.key$`)
  try {
    return readdirSync(directory)
      .find(file => isKey.test(file))
      ?.slice(0, -'.key'.length)
  } catch {
    // The keys' own reading says what is wrong with the directory, unless it is not there yet.
    return undefined
  }
}
