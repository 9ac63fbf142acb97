import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SettingsError } from '../infra/settings/setting.ts'
import { settingsTable } from '../infra/settings/settings.ts'
import { nearNames, settingsWarnings } from '../infra/settings/warnings.ts'
import { certificateWarnings } from './certificate.ts'
import { consoleObserver, welcome } from './console.ts'
import { isImage, localSettingsTable, readAllSettings } from './local-settings.ts'
import { StartError } from './start-error.ts'
import type { Running } from './system.ts'
import { buildFolder, startAssembler } from './template/assembly.ts'

/** Milliseconds in which a repeated signal does not count: under npm Ctrl-C arrives twice, the second time from npm. */
const sameSignal = 500

const stopping = new AbortController()
let running: Promise<Running> | undefined
let signalledAt = 0

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, async () => {
    if (stopping.signal.aborted && performance.now() - signalledAt > sameSignal) process.exit(1)
    if (stopping.signal.aborted) return
    signalledAt = performance.now()
    stopping.abort()
    await running?.then(system => system.stop()).catch(() => {})
    process.exit(0)
  })
}

// The system continues when its terminal or pipe closes.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/** Reads the options of `npm start --`. Without a terminal it neither watches the sources nor shows logs. */
function readOptions() {
  const isTerminal = process.stdout.isTTY === true
  try {
    return parseArgs({
      allowNegative: true,
      options: {
        watch: { type: 'boolean', default: isTerminal },
        logs: { type: 'boolean', default: isTerminal },
        quiet: { type: 'boolean', default: false },
        inspect: { type: 'string' },
      },
    }).values
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The first sentence names the option; the rest explains parseArgs.
    const [what] = error.message.split('. ')
    throw new StartError(
      `${what}; the options of npm start are --[no-]watch, --[no-]logs, --quiet and --inspect <function>`,
    )
  }
}

// A test system must not be reachable from a network: links in its mails reset any password.
if (isImage(process.env)) console.log('For tests: whoever reaches the inbox can take every account')

try {
  const { inspect, watch, ...shown } = readOptions()
  const {
    PORT,
    INBOX_PORT,
    PROVIDER_PORT,
    HOST,
    BASE_URL,
    BROWSER_URL,
    BLOCKLIST_URL,
    DATA_DIR,
    ACCOUNTS_FILE,
    certificate,
    listFiles,
    ...settings
  } = readAllSettings(process.env)
  const known = Object.keys({ ...settingsTable, ...localSettingsTable })
  const warnings = [
    ...nearNames(process.env, known),
    ...settingsWarnings(settings, process.env, BASE_URL),
    ...(certificate ? certificateWarnings(certificate, BASE_URL || 'https://localhost', new Date()) : []),
  ]
  for (const warning of warnings) console.warn(`Warning: ${warning}`)
  const build = buildFolder(resolve(DATA_DIR, 'build'))
  const observer = consoleObserver(shown, build)
  const assembler = startAssembler(build, stopping.signal, observer.building)
  // Loading takes half a second: before that, signals are handled, invalid settings reported, and the build begins.
  const { runStack } = await import('./system.ts')
  running = runStack({
    settings,
    port: PORT,
    inboxPort: INBOX_PORT,
    providerPort: PROVIDER_PORT,
    host: HOST,
    certificate,
    publicUrl: BASE_URL,
    browserUrl: BROWSER_URL,
    blocklistUrl: BLOCKLIST_URL,
    dataDirectory: DATA_DIR,
    accountsFile: ACCOUNTS_FILE,
    signal: stopping.signal,
    build,
    assembler,
    watch,
    lists: { files: listFiles, read: () => readAllSettings(process.env) },
    ...(inspect !== undefined && { inspect }),
    observer: { ...observer, lost: end },
  })
  const system = await running
  if (!stopping.signal.aborted) console.log(welcome(system, settings, performance.now() / 1000, watch))
} catch (error) {
  if (stopping.signal.aborted) process.exit(0)
  if (!(error instanceof SettingsError || error instanceof StartError)) throw error
  end(error.message)
}

/** Stops at once with one line, which loses no stored data. */
function end(reason: string): never {
  console.error(reason)
  process.exit(1)
}
