import { bundle } from './build/bundle.ts'
import { nearNames } from './settings/near-names.ts'
import { SettingsError } from './settings/setting.ts'
import { readSettings, settingsTable } from './settings/settings.ts'
import { findStage } from './settings/stage.ts'
import { settingsWarnings } from './settings/warnings.ts'
import { createApp } from './synthesize.ts'

/** What `cdk` runs: the settings are those of the stage that `STAGE` names, the bundles are made anew. */
try {
  const { texts, complaints } = findStage(process.env)
  const settings = readSettings(texts, complaints)
  const warnings = [...nearNames(texts, Object.keys(settingsTable)), ...settingsWarnings(settings, texts)]
  await bundle()
  createApp({ settings, warnings }).app.synth()
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
