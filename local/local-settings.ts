import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { isHttpLoopback, isOrigin, optional } from '../infra/settings/checks.ts'
import { standingIn } from '../infra/settings/files.ts'
import { isAtOrBelow, localHost } from '../infra/settings/passkeys.ts'
import { checkTable, complaint, inCapitals, setting, type Values } from '../infra/settings/setting.ts'
import {
  languagesSetting,
  passkeyDomainSetting,
  providersSetting,
  requireFit,
  type Settings,
  settingsTable,
} from '../infra/settings/settings.ts'
import { allLanguages } from '../shared/words/pseudo.ts'
import { type Certificate, readCertificate } from './certificate.ts'

const isHost = (text: string): boolean => isIP(text) > 0 || /^[a-z\d][a-z\d.-]*$/i.test(text)

/** A port has 16 bits (RFC 9293 §3.1). */
const maxPort = 65_535

const port = (fallback: string, meaning: string) =>
  setting(
    fallback,
    meaning,
    'a port from 0 (any free port) to 65535',
    v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.maxValue(maxPort)),
  )

/** A path, from the folder in which the operator stands. */
const path = (fallback: string, meaning: string) => ({
  ...setting(fallback, meaning, 'a path', v.pipe(v.string(), v.minLength(fallback.length > 0 ? 1 : 0))),
  isPath: true as const,
})

/** The settings of `npm start`, in addition to those of the service. */
export const localSettingsTable = {
  PORT: port('3000', 'The port of the API. It moves the other two along: 0 is any free port for each.'),
  INBOX_PORT: port('3001', 'The port of the inbox. Unset: `PORT` + 1.'),
  PROVIDER_PORT: port(
    '3002',
    'The port of the provider "Example": [local.md](local.md#sign-in-with-other-providers). Unset: `PORT` + 2; in the image there is none then.',
  ),
  HOST: setting(
    '127.0.0.1',
    'The address to listen on. In a container 0.0.0.0, so that its ports can be published.',
    'an address or a host name, such as 127.0.0.1 or 0.0.0.0',
    v.pipe(v.string(), v.check(isHost)),
  ),
  BASE_URL: setting(
    '',
    "The API's address for clients, and so the issuer of tokens. For other containers: `http://gatehouse:3000`, say. Unset: `http://localhost:<PORT>`, with TLS_CERT `https://localhost:<PORT>`.",
    'an http or https address without a path, such as http://gatehouse:3000',
    optional(isOrigin),
  ),
  BROWSER_URL: setting(
    '',
    'Where browsers find the pages, if not at BASE_URL: applications send people there to log in and out. Unset: BASE_URL.',
    'an http or https address without a path, such as http://localhost:3000',
    optional(isOrigin),
  ),
  BLOCKLIST_URL: setting(
    '',
    'A stand-in for Have I Been Pwned, which answers `GET /range/<five digits>`, with `PASSWORD_BLOCKLIST=online`. Unset: Have I Been Pwned itself.',
    'an http address on this machine without a path, such as http://127.0.0.1:4000',
    optional(text => isHttpLoopback(text) && isOrigin(text)),
  ),
  TLS_CERT: path(
    '',
    'The certificate in PEM with which the API speaks TLS, with what leads to it: [local.md](local.md#tls). Unset: it speaks HTTP.',
  ),
  TLS_KEY: path('', 'The private key of TLS_CERT in PEM, without a passphrase.'),
  DATA_DIR: path(
    '.local/',
    'The directory of accounts, queued and sent mails, and signing keys. Unset: in this repository.',
  ),
  ACCOUNTS_FILE: path(
    '',
    'A file of accounts that are there before the first answer, `.ndjson` or `.csv`: [local.md](local.md#in-a-container).',
  ),
}

/**
 * The settings of the service on one machine, which can also offer draft languages, passkeys of its own, and providers
 * that run beside it.
 */
export const serviceSettingsTable = {
  ...settingsTable,
  LANGUAGES: languagesSetting(Object.keys(allLanguages)),
  PASSKEY_RP_ID: passkeyDomainSetting([localHost]),
  SIGN_IN_PROVIDERS: providersSetting(true),
}

/** The sample application, docs/examples/sign-in/serve.js. */
const sample = { id: 'sample', name: 'Sample app', redirects: ['http://127.0.0.1/callback'], api: true }

/** The local inbox keeps all mails, so the sender need not exist. */
export const fallbacks = { MAIL_FROM: 'no-reply@localhost', OIDC_CLIENTS: JSON.stringify([sample]) }

type LocalSettings = Values<typeof localSettingsTable>

/** All settings. The port is null without a provider "Example"; the certificate, without TLS. */
type AllSettings = Settings &
  Omit<LocalSettings, 'PROVIDER_PORT' | 'TLS_CERT' | 'TLS_KEY'> & {
    PROVIDER_PORT: number | null
    certificate: Certificate | null
    /** The paths of lists in files, by the names that complaints have for them. */
    listFiles: ReadonlyMap<string, string>
  }

/** Reads the service's settings and the local ones together, to report all invalid ones. @throws {SettingsError} */
export function readAllSettings(env: Record<string, string | undefined>): AllSettings {
  const { OIDC_CLIENTS, ...always } = fallbacks
  const textOf = (name: string) => inCapitals(env).get(name)?.trim()
  const host = hostOf(textOf('BASE_URL'))
  // Passkeys and providers need mails.
  const hasMail = textOf('MAIL_FROM') !== ''
  const applied = {
    ...always,
    INBOX_PORT: portBehind(textOf('PORT'), 1),
    PROVIDER_PORT: portBehind(textOf('PORT'), 2),
    ...(!isImage(env) && { OIDC_CLIENTS }),
    ...(hasMail && host === localHost && { PASSKEY_RP_ID: localHost }),
  }
  const { values, complaints, files } = checkTable({ ...serviceSettingsTable, ...localSettingsTable }, env, applied)
  const { BASE_URL = '', PASSKEY_ORIGINS, PASSKEY_RP_ID = '', TLS_CERT = '', TLS_KEY = '' } = values
  const certificate = certificateIn({ TLS_CERT, TLS_KEY })
  if (typeof certificate === 'string') complaints.push(certificate)
  if (TLS_CERT !== '' && BASE_URL.startsWith('http:')) {
    complaints.push(`BASE_URL must be an https address, not '${BASE_URL}', because TLS_CERT is '${TLS_CERT}'`)
  }
  const isElsewhere = PASSKEY_RP_ID === localHost && host !== localHost
  if (isElsewhere) complaints.push(`PASSKEY_RP_ID must not be ${localHost}, because BASE_URL is '${BASE_URL}'`)
  if (
    PASSKEY_ORIGINS &&
    PASSKEY_RP_ID !== localHost &&
    BASE_URL.startsWith('https:') &&
    isAtOrBelow(PASSKEY_RP_ID, host)
  ) {
    values.PASSKEY_ORIGINS = [BASE_URL, ...PASSKEY_ORIGINS]
  }
  const {
    TLS_CERT: _,
    TLS_KEY: __,
    ...read
  } = requireFit({ values, complaints, files }, [], BASE_URL || localAddress(inCapitals(env)))
  const isFound = hostOf(textOf('BROWSER_URL') || textOf('BASE_URL')) === localHost
  // A container's ports are published one by one.
  const isOpen = !isImage(env) || Boolean(textOf('PROVIDER_PORT'))
  const hasExample = hasMail && isFound && isOpen && !textOf('SIGN_IN_PROVIDERS')
  return {
    ...read,
    PROVIDER_PORT: hasExample ? read.PROVIDER_PORT : null,
    certificate: typeof certificate === 'string' ? null : certificate,
    listFiles: new Map(Object.values(files).map(file => [file, resolve(standingIn(env).folder, file)])),
  }
}

/** The certificate, null without one, or the complaint. */
function certificateIn({
  TLS_CERT,
  TLS_KEY,
}: Pick<LocalSettings, 'TLS_CERT' | 'TLS_KEY'>): Certificate | string | null {
  if (TLS_CERT === '' && TLS_KEY === '') return null
  if (TLS_KEY === '') return complaint(localSettingsTable, 'TLS_KEY', '', ['TLS_CERT', TLS_CERT])
  if (TLS_CERT === '') return complaint(localSettingsTable, 'TLS_CERT', '', ['TLS_KEY', TLS_KEY])
  return readCertificate(TLS_CERT, TLS_KEY)
}

/** The address on this machine without BASE_URL. @param settings by name in capitals */
export const localAddress = (settings: ReadonlyMap<string, string>): string =>
  `${settings.get('TLS_CERT')?.trim() ? 'https' : 'http'}://localhost:${settings.get('PORT')?.trim() || localSettingsTable.PORT.fallback}`

/** The port at this distance; any free port, `0`, if that is the setting or there is no such port. */
function portBehind(text = localSettingsTable.PORT.fallback, distance: number): string {
  const port = Number(text)
  return port > 0 && port + distance <= maxPort ? String(port + distance) : '0'
}

const hostOf = (baseUrl = ''): string => (baseUrl === '' ? localHost : (URL.parse(baseUrl)?.hostname ?? ''))

/** Whether the system runs in the image, which sets this variable. The image lacks the sample application, a file of the checkout. */
export const isImage = ({ GATEHOUSE_IMAGE }: Record<string, string | undefined>): boolean => GATEHOUSE_IMAGE === '1'
