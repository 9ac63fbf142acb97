import { inCapitals } from './setting.ts'
import type { Settings } from './settings.ts'

/** What is allowed but probably not meant. */
export function settingsWarnings(settings: Settings, env: Record<string, string | undefined>): string[] {
  const required = inCapitals(env).get('REQUIRE_EMAIL_VERIFICATION')
  const warnings: string[] = []
  if (required !== undefined && !/^(true|false|)$/i.test(required.trim())) {
    warnings.push(`REQUIRE_EMAIL_VERIFICATION is neither true nor false but '${required}', and is taken as false`)
  }
  if (settings.REQUIRE_EMAIL_VERIFICATION && settings.MAIL_FROM === '') {
    warnings.push('REQUIRE_EMAIL_VERIFICATION is on but MAIL_FROM is not set: nobody will be able to verify and log in')
  }
  if (settings.ADMIN_EMAIL !== '' && !settings.REQUIRE_EMAIL_VERIFICATION) {
    warnings.push(
      'ADMIN_EMAIL is set without REQUIRE_EMAIL_VERIFICATION: whoever registers that address first is an administrator',
    )
  }
  return warnings
}
