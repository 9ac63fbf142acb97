import { bundle } from './build/bundle.ts'
import { requireRoom } from './quotas.ts'
import { SettingsError } from './settings/setting.ts'
import { readSettings } from './settings/settings.ts'
import { findStage } from './settings/stage.ts'
import { deployWarnings, settingsWarnings } from './settings/warnings.ts'
import { createApp } from './synthesize.ts'

/** Run by `cdk`: reads the settings of the stage in `STAGE`, bundles the functions, and synthesises. */
try {
  const { texts, complaints, warnings, place } = findStage(process.env)
  const settings = readSettings(texts, complaints, place)
  await bundle()
  const { app, stack } = createApp({
    settings,
    warnings: [...warnings, ...settingsWarnings(settings, texts), ...deployWarnings(settings)],
  })
  requireRoom(app.synth().getStackArtifact(stack.artifactId).template, stack.stackName, settings)
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
