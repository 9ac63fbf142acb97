import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'

const uuid = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`

/**
 * Ids of the keys that encrypt. Each data directory has its own, so a foreign ciphertext is recognised by its key's
 * ARN. An id is drawn before its key, whose file is named by it. Directories of 0.3.0 have `<logical id>.key`: such a
 * key keeps the logical id.
 *
 * @param directory of the keys; null for temporary keys, whose ids are the logical ones
 * @returns the id of a key by its logical id, the same at each call
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
    // The directory may not exist yet. Other errors are reported when keys are read.
    return undefined
  }
}
