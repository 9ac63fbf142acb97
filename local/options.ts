import type { Settings } from '../infra/settings/settings.ts'
import type { Observer } from './observer.ts'
import type { Assembler, Assembly } from './template/assembly.ts'

/** How a system is started. */
export interface Options {
  settings: Settings
  /** 0 for any free port. */
  port: number
  inboxPort: number
  /** The port of the provider "Example", which is among the providers then. There is none by default. */
  providerPort?: number | null
  host: string
  /** The API's address for clients, and so the issuer of tokens. Empty or omitted: `http://localhost:<port>`. */
  publicUrl?: string
  /** Where browsers find the pages, if not at the API's address. */
  browserUrl?: string
  /** null keeps everything in memory. */
  dataDirectory: string | null
  /** A file of accounts that are there before the first answer. It takes a data directory, in which commands find the system. */
  accountsFile?: string
  /** Runs this instead of the stack of these sources and settings. */
  assembly?: Assembly
  build?: string
  /** What has begun to build and synthesise. Default: it begins with the start. */
  assembler?: Assembler
  signal?: AbortSignal
  /** How many environments a function may have at once. Default: the number of cores. */
  concurrency?: number
  /** How many environments all functions may have at once. Default: 14. */
  environments?: number
  /** The file that runs in the functions' processes, instead of `bootstrap.cjs`. */
  runtimeClient?: string
  /** Whether a change of the sources gives the functions new code. */
  watch?: boolean
  /** The function that a debugger may attach to. */
  inspect?: string
  observer?: Partial<Observer>
}
