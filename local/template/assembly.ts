import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
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

const checkout = join(import.meta.dirname, '../..')
export const usualBuild = join(checkout, 'dist')

/** The folder for the build: in this checkout or, where that cannot be written, the other one. */
export function buildFolder(other: string): string {
  try {
    accessSync(existsSync(usualBuild) ? usualBuild : checkout, constants.W_OK)
    return usualBuild
  } catch {
    return other
  }
}

interface AssembleOptions {
  /** The folder of the build. */
  build?: string
  /** Where browsers find the pages, if not at the API's address. */
  browserUrl?: string | undefined
  signal?: AbortSignal | undefined
}

/**
 * Bundles the functions and synthesises the stack in a separate process: its end frees CDK's 150 MB, and other parts start
 * in parallel.
 *
 * @throws {StartError}
 */
export async function assemble(
  settings: Settings,
  directory: string,
  { build = usualBuild, signal, browserUrl }: AssembleOptions = {},
): Promise<Assembly> {
  await runBuild('The stack cannot be synthesised:\n', [build, directory], { settings, browserUrl }, signal)
  const template = JSON.parse(readFileSync(join(directory, 'Gatehouse.template.json'), 'utf8')) as Template
  return { template, directory }
}

/**
 * Bundles what has changed. In a separate process as well, because the modules of the build may have changed too.
 *
 * @throws {StartError}
 */
export const rebuild = (build = usualBuild, signal?: AbortSignal): Promise<void> => runBuild('', [build], null, signal)

async function runBuild(complaint: string, args: string[], input: unknown, signal?: AbortSignal): Promise<void> {
  // esbuild, which is written in Go, ends with the build: to collect its garbage takes a quarter of its CPU, and saves 200 of
  // 900 MB.
  const env = { GOGC: 'off', ...process.env }
  const child = promisify(execFile)(process.execPath, [import.meta.filename, ...args], {
    env,
    ...(signal && { signal }),
  })
  child.child.stdin?.on('error', () => {}).end(JSON.stringify(input))
  await child.catch(({ stderr, message }) => {
    throw new StartError(`${complaint}${(stderr || message).trim()}`)
  })
}

if (import.meta.main) {
  const [build = '', outdir] = process.argv.slice(2)
  try {
    const [{ bundleWhatChanged }, cdk] = await Promise.all([
      import('../../infra/build/bundle.ts'),
      outdir === undefined ? null : import('../../infra/synthesize.ts'),
    ])
    const [input] = await Promise.all([json(process.stdin), bundleWhatChanged(build, true)])
    const stack = input as { settings: Settings; browserUrl?: string }
    cdk?.createApp({ ...stack, validate: false, build, ...(outdir !== undefined && { outdir }) }).app.synth()
  } catch (error) {
    process.exitCode = 1
    // esbuild has already printed what is wrong, and where.
    if (!(error instanceof Error && 'errors' in error)) console.error(error)
  }
}
