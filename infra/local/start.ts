import { readSettings, SettingsError, settingsWarnings } from '../settings.ts'
import { consoleObserver, welcome } from './console.ts'
import { readLocalSettings } from './local-settings.ts'
import { StartError } from './start-error.ts'
import { type Running, runStack } from './system.ts'

/** Where the mails of a system on one machine come from: they go no further than its inbox. */
const fallbacks = { MAIL_FROM: 'Gatehouse <no-reply@localhost>' }

/** Milliseconds within which a signal counts once: Ctrl-C under npm comes from the terminal, and again from npm. */
const sameSignal = 500

let running: Promise<Running> | undefined
let stoppingSince: number | null = null

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, async () => {
    if (stoppingSince !== null && performance.now() - stoppingSince < sameSignal) return
    if (stoppingSince !== null) process.exit(1)
    stoppingSince = performance.now()
    await running?.then(system => system.stop()).catch(() => {})
    process.exit(0)
  })
}

try {
  const settings = readSettings(process.env, fallbacks)
  const { PORT, INBOX_PORT, HOST, DATA_DIR } = readLocalSettings(process.env)
  for (const warning of settingsWarnings(settings, process.env)) console.warn(`Warning: ${warning}`)
  running = runStack({
    settings,
    port: PORT,
    inboxPort: INBOX_PORT,
    host: HOST,
    dataDirectory: DATA_DIR,
    observer: consoleObserver,
  })
  console.log(welcome(await running, performance.now() / 1000))
} catch (error) {
  if (!(error instanceof SettingsError || error instanceof StartError)) throw error
  console.error(error.message)
  process.exit(1)
}
