import { bundle } from './build/bundle.ts'
import { SettingsError } from './settings/setting.ts'
import { readSettings, settingsWarnings } from './settings/settings.ts'
import { createApp } from './synthesize.ts'

/** What `cdk` runs: the settings come from the environment, the bundles are made anew. */
try {
  const settings = readSettings(process.env)
  await bundle()
  createApp({ settings, warnings: settingsWarnings(settings, process.env) }).app.synth()
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
