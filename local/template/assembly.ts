import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Settings } from '../../infra/settings/settings.ts'
import { StartError } from '../start-error.ts'
import type { Template } from './template.ts'

/** A synthesised stack: its template, and the directory with its assets. */
export interface Assembly {
  template: Template
  directory: string
}

/**
 * Bundles the functions and synthesises the stack in a separate process: its end frees CDK's 150 MB, and other parts start
 * in parallel.
 *
 * @throws {StartError}
 */
export async function assemble(settings: Settings, directory: string, signal?: AbortSignal): Promise<Assembly> {
  const synthesis = promisify(execFile)(process.execPath, [import.meta.filename, directory], signal && { signal })
  synthesis.child.stdin?.on('error', () => {}).end(JSON.stringify(settings))
  await synthesis.catch(({ stderr }) => {
    throw new StartError(`The stack cannot be synthesised:\n${stderr.trim()}`)
  })
  const template = JSON.parse(readFileSync(join(directory, 'Gatehouse.template.json'), 'utf8')) as Template
  return { template, directory }
}

if (import.meta.main) {
  const [{ bundleWhatChanged }, { createApp }] = await Promise.all([
    import('../../infra/build/bundle.ts'),
    import('../../infra/synthesize.ts'),
  ])
  const [settings] = (await Promise.all([json(process.stdin), bundleWhatChanged()])) as [Settings, unknown]
  createApp({ settings, validate: false, outdir: process.argv[2] ?? '' }).app.synth()
}
