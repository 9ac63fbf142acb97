import type { Setting } from '../../infra/settings/setting.ts'
import { settingsTable } from '../../infra/settings/settings.ts'
import { localSettingsTable } from '../../local/local-settings.ts'
import { code, table } from './table.ts'

const settingTable = (settings: Record<string, Setting<unknown>>): string =>
  table(
    ['Setting', 'Default', 'Meaning'],
    Object.entries(settings).map(([name, { fallback, meaning }]) => [
      code(name),
      fallback === '' ? '' : code(fallback),
      meaning,
    ]),
  )

export const serviceSettings = (): string => settingTable(settingsTable)

export const localSettings = (): string => settingTable(localSettingsTable)
