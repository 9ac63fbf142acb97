import { isDeepStrictEqual } from 'node:util'
import type { SettingName } from '../../../shared/base/config.ts'
import { cases } from '../../infra/settings/cases.ts'

/** Settings in another form for functions than for the stack, and values that leave this owner a way in. */
const told = {
  BLOCKLIST_URL: 'http://127.0.0.1:3003',
  BROWSER_URL: 'https://pages.example.com',
  ISSUER: 'https://other.example.com/auth',
  LANGUAGES: 'de,en',
  OIDC_CLIENTS: 'on',
  RATE_LIMITS: 'login=20/minute',
  SIGN_UP_DOMAINS: 'example.org',
  SITE_URL: 'https://site.example.com',
} as const satisfies { [S in SettingName]?: string }

/** A valid value of a setting, in the form for functions. */
export function unusual(name: SettingName): string {
  if (name in told) return told[name as keyof typeof told]
  const [, { unset, good }] = cases.find(([each]) => each === name) ?? [name, { unset: null, good: [] }]
  const [, value] = good.find(([, value]) => !isDeepStrictEqual(value, unset)) ?? []
  if (value === undefined) throw new Error(`${name} has no other value in test/infra/settings/cases.ts`)
  return String(value)
}
