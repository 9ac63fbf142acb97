import type { LocalAddresses } from '../infra/service-stack.ts'
import type { Settings } from '../infra/settings/settings.ts'
import type { Certificate } from './certificate.ts'
import type { Observer } from './observer.ts'
import type { Assembler, Assembly } from './template/assembly.ts'

/** The options of a start. */
export interface Options extends LocalAddresses {
  settings: Settings
  /** 0 for any free port. */
  port: number
  inboxPort: number
  /** The port of the provider "Example", which is then offered. None by default. */
  providerPort?: number | null
  host: string
  /** The API speaks TLS with it. HTTP by default. */
  certificate?: Certificate | null
  /** The API's address for clients, and so the issuer of tokens. Empty or omitted: localhost at that port. */
  publicUrl?: string
  /** null keeps everything in memory. */
  dataDirectory: string | null
  /** A file of accounts to open before the first answer. Needs a data directory, in which commands find the system. */
  accountsFile?: string
  /** Runs this stack instead of building one from sources and settings. */
  assembly?: Assembly
  build?: string
  /** A build that has begun already. Default: it begins with the start. */
  assembler?: Assembler
  signal?: AbortSignal
  /** How many environments a function may have at once. Default: the number of cores. */
  concurrency?: number
  /** How many environments all functions may have at once. Default: 14. */
  environments?: number
  /** The file that runs in the functions' processes, instead of `bootstrap.cjs`. */
  runtimeClient?: string
  /** Whether changed sources are loaded into the functions. */
  watch?: boolean
  /** Lists in files, which are watched with the sources: paths by the names that the terminal shows. */
  lists?: { files: ReadonlyMap<string, string>; read(): Settings }
  /** The function that a debugger may attach to. */
  inspect?: string
  observer?: Partial<Observer>
}
