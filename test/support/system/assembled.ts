import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { functionNames } from '../../../api/route-keys.ts'
import type { LocalAddresses } from '../../../infra/service-stack.ts'
import type { Settings } from '../../../infra/settings/settings.ts'
import { type Assembly, assemble } from '../../../local/template/assembly.ts'

/** One for each function: tests go round all of them, and a function without a place would cold start each time. */
export const environments = functionNames.length

/** The stack with these settings, synthesised once per run of the tests, which takes two seconds. */
export async function assembled(settings: Settings, local?: LocalAddresses): Promise<Assembly> {
  const hash = createHash('sha256').update(JSON.stringify({ settings, local })).digest('hex')
  const directory = join(tmpdir(), `assembly-${hash}`)
  if (!existsSync(directory)) {
    const made = mkdtempSync(`${directory}-`)
    await assemble(settings, made, local && { local })
    try {
      renameSync(made, directory)
    } catch (error) {
      // Another file was faster.
      if (!existsSync(directory)) throw error
    }
  }
  const template = JSON.parse(readFileSync(join(directory, 'Gatehouse.template.json'), 'utf8'))
  return { template, directory }
}
