import { isIP } from 'node:net'
import * as v from 'valibot'
import { isOrigin, optional } from '../settings/checks.ts'
import { checkTable, setting, type Values } from '../settings/setting.ts'
import { requireFit, type Settings, settingsTable } from '../settings/settings.ts'

const isHost = (text: string): boolean => isIP(text) > 0 || /^[a-z\d][a-z\d.-]*$/i.test(text)

const port = (fallback: string, meaning: string) =>
  setting(
    fallback,
    meaning,
    'a port from 0 (any that is free) to 65535',
    v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.maxValue(65_535)),
  )

/** What the system on one machine can be told, besides the service's own settings. */
export const localSettingsTable = {
  PORT: port('3000', 'The port of the API.'),
  INBOX_PORT: port('3001', 'The port of the inbox.'),
  HOST: setting(
    '127.0.0.1',
    'The address to listen on. 0.0.0.0 in a container, whose ports are then published.',
    'an address or a host name, such as 127.0.0.1 or 0.0.0.0',
    v.pipe(v.string(), v.check(isHost)),
  ),
  BASE_URL: setting(
    '',
    'Where clients find the API, and so the issuer of tokens: `http://gatehouse:3000`, say, for other containers. Unset: `http://localhost:<PORT>`.',
    'an http or https address without a path, such as http://gatehouse:3000',
    optional(isOrigin),
  ),
  DATA_DIR: setting(
    '.local/',
    'Where accounts, queued and sent mails and the signing keys are kept.',
    'a path',
    v.pipe(v.string(), v.minLength(1)),
  ),
}

/** Where the mails of a system on one machine come from: they go no further than its inbox. */
const fallbacks = { MAIL_FROM: 'no-reply@localhost' }

/** The service's settings and these, all at once, so that every bad one is named. @throws {SettingsError} */
export const readAllSettings = (
  env: Record<string, string | undefined>,
): Settings & Values<typeof localSettingsTable> =>
  requireFit(checkTable({ ...settingsTable, ...localSettingsTable }, env, fallbacks))
