import { SettingsError } from '../../../infra/settings/setting.ts'
import { readSettings } from '../../../infra/settings/settings.ts'

/** The error message for bad settings. */
export function refusalOf(env: Record<string, string>): string {
  try {
    readSettings(env)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
  }
  throw new Error('not refused')
}
