import { readSettings, type Settings } from '../../../infra/settings/settings.ts'
import type { ResourceVariable, SettingName } from '../../../shared/base/config.ts'

const settings = Object.entries(readSettings({ BCRYPT_COST: '10', SITE_URL: 'https://example.com' }))
const texts = Object.fromEntries(settings.map(([name, value]) => [name, String(value)])) as Record<
  keyof Settings,
  string
>

/** The environment of a function that has every variable: all settings, and resources that do not exist. */
export const variables = {
  ...texts,
  ISSUER: 'https://api.example.com/auth',
  BLOCKLIST_URL: '',
  BROWSER_URL: '',
  OIDC_CLIENTS: '',
  SIGN_IN_PROVIDERS: '',
  ACCOUNTS_TABLE: 'Accounts',
  RATE_LIMITS_TABLE: 'RateLimits',
  MAIL_QUEUE_URL: 'MailQueue',
  SIGNING_KEY_ID: 'key',
  SIGNING_KEY_IDS: 'key',
  FACTOR_KEY_ID: 'key',
  PROVIDER_KEY_ID: 'key',
} as const satisfies Record<SettingName | ResourceVariable, string>
