import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { OnBuilt } from '../../infra/build/function-bundles.ts'
import type { LocalAddresses } from '../../infra/service-stack.ts'
import type { Settings } from '../../infra/settings/settings.ts'
import type { createApp } from '../../infra/synthesize.ts'
import { StartError } from '../start-error.ts'
import type { Template } from './template.ts'

/** A synthesised stack: its template, and the directory with its assets. */
export interface Assembly {
  template: Template
  directory: string
}

const checkout = join(import.meta.dirname, '../..')
export const usualBuild = join(checkout, 'dist')

/** The folder for the build: in this checkout or, if that is not writable, the other one. */
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
  local?: LocalAddresses
  signal?: AbortSignal | undefined
}

/**
 * Bundles the functions and synthesises the stack in a separate process: its end frees CDK's 150 MB, and other parts start in parallel.
 *
 * @throws {StartError}
 */
export async function assemble(
  settings: Settings,
  directory: string,
  { build, signal, local }: AssembleOptions = {},
): Promise<Assembly> {
  return startAssembler(build, signal).assemble(settings, directory, local)
}

/**
 * The same, begun before the settings are complete. The caller must stop it if the stack is no longer wanted.
 *
 * @param onBuilt hears of a first build alone, which takes several seconds longer
 */
export function startAssembler(build = usualBuild, signal?: AbortSignal, onBuilt: OnBuilt = () => {}) {
  const process = startBuild([build, 'synthesise'], signal, onBuilt)
  return {
    /** @throws {StartError} */
    async assemble(settings: Settings, directory: string, local?: LocalAddresses): Promise<Assembly> {
      await process.finish(
        'The stack cannot be built (`npm run build` tries its functions alone, `npm ci` brings what is missing):\n',
        { settings, outdir: directory, local },
      )
      const template = JSON.parse(readFileSync(join(directory, 'Gatehouse.template.json'), 'utf8')) as Template
      return { template, directory }
    },
    stop: process.stop,
  }
}

export type Assembler = ReturnType<typeof startAssembler>

/**
 * Bundles changes. Also in a separate process, because the build's own modules may have changed.
 *
 * @throws {StartError}
 */
export const rebuild = (build = usualBuild, signal?: AbortSignal): Promise<void> => startBuild([build], signal).finish()

/** Writes the source maps of a function's bundle, unless its sources now make another one, or none. */
export const makeMaps = (caller: string, build = usualBuild): Promise<void> =>
  startBuild([build, 'maps', caller])
    .finish()
    .catch(() => {})

function startBuild(args: string[], signal?: AbortSignal, onBuilt: OnBuilt = () => {}) {
  // esbuild, written in Go, ends with the build: collecting its garbage takes a quarter of its CPU, and saves only 200 of 900 MB.
  const env = { GOGC: 'off', ...process.env }
  const run = promisify(execFile)(process.execPath, [import.meta.filename, ...args], { env, ...(signal && { signal }) })
  const { child } = run
  child.stdin?.on('error', () => {})
  child.stdout?.on('data', text => {
    for (const [, built, all] of String(text).matchAll(/^built (\d+) of (\d+)$/gm)) onBuilt(Number(built), Number(all))
  })
  // The caller that awaits it gets the error.
  run.catch(() => {})
  return {
    /** @param complaint begins the error @param input that the process waits for @throws {StartError} */
    async finish(complaint = '', input: object | null = null): Promise<void> {
      child.stdin?.end(JSON.stringify(input))
      await run.catch(({ stderr, message }) => {
        throw new StartError(`${complaint}${(stderr || message).trim()}`)
      })
    },
    stop: () => void child.kill(),
  }
}

async function synthesise(build: string, bundling: Promise<void>): Promise<void> {
  // Without input, the parent process is gone.
  const input = json(process.stdin).catch(() => process.exit(1)) as Promise<Input>
  // CDK takes half a second to load, while esbuild works.
  const [{ createApp }, stack] = await Promise.all([import('../../infra/synthesize.ts'), input, bundling])
  createApp({ ...stack, validate: false, build }).app.synth()
}

type Input = Pick<Parameters<typeof createApp>[0], 'settings' | 'outdir' | 'local'>

if (import.meta.main) {
  const [build = '', task, caller = ''] = process.argv.slice(2)
  try {
    if (task === 'maps') await (await import('../../infra/build/function-bundles.ts')).writeMaps(caller, build)
    else {
      const { bundleWhatChanged } = await import('../../infra/build/bundle.ts')
      const tell: OnBuilt = (built, all) => console.log(`built ${built} of ${all}`)
      const bundling = bundleWhatChanged(build, true, existsSync(build) ? undefined : tell)
      await (task === undefined ? bundling : synthesise(build, bundling))
    }
  } catch (error) {
    process.exitCode = 1
    // esbuild has already printed the error.
    const isPrinted = error instanceof Error && 'errors' in error
    if (!isPrinted) console.error(error instanceof Error && 'syscall' in error ? error.message : error)
  }
}
