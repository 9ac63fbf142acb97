import * as v from 'valibot'
import { readTable } from '../settings/setting.ts'
import { requireFit, type Settings, settingsTable } from '../settings/settings.ts'

export interface LocalSettings {
  PORT: number
  INBOX_PORT: number
  HOST: string
  DATA_DIR: string
}

const port = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.maxValue(65_535))
const isHost = (text: string): boolean => /^(?:[a-z\d][a-z\d.-]*|[\da-f:]*:[\da-f:.]*)$/i.test(text)

/** What the system on one machine can be told, besides the service's own settings. */
export const localSettingsTable = {
  PORT: {
    fallback: '3000',
    meaning: 'The port of the API.',
    expected: 'a port from 0 (any that is free) to 65535',
    schema: port,
  },
  INBOX_PORT: {
    fallback: '3001',
    meaning: 'The port of the inbox.',
    expected: 'a port from 0 (any that is free) to 65535',
    schema: port,
  },
  HOST: {
    fallback: '127.0.0.1',
    meaning: 'The address to listen on. 0.0.0.0 in a container, whose ports are then published.',
    expected: 'an address or a host name, such as 127.0.0.1 or 0.0.0.0',
    schema: v.pipe(v.string(), v.check(isHost)),
  },
  DATA_DIR: {
    fallback: '.local/',
    meaning: 'Where accounts, queued and sent mails and the signing keys are kept.',
    expected: 'a path',
    schema: v.pipe(v.string(), v.minLength(1)),
  },
}

/** Where the mails of a system on one machine come from: they go no further than its inbox. */
const fallbacks = { MAIL_FROM: 'Gatehouse <no-reply@localhost>' }

/** The service's settings and these, all at once, so that every bad one is named. @throws {SettingsError} */
export const readAllSettings = (env: Record<string, string | undefined>): Settings & LocalSettings =>
  requireFit(
    readTable({ ...settingsTable, ...localSettingsTable }, env, fallbacks) as unknown as Settings & LocalSettings,
  )
