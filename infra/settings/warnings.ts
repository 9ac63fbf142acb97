import leven from 'leven'
import { inCapitals } from './setting.ts'
import type { Settings } from './settings.ts'

/** Warnings about a deployed stage alone: on one machine no stranger's page matters. */
export const deployWarnings = ({ CORS_ORIGINS }: Settings): string[] =>
  CORS_ORIGINS.includes('*')
    ? [
        'CORS_ORIGINS names no origins: a page of any origin can use up the limits of its visitors, who then cannot log in',
      ]
    : []

export function settingsWarnings(settings: Settings, env: Record<string, string | undefined>): string[] {
  const required = inCapitals(env).get('REQUIRE_EMAIL_VERIFICATION')
  const warnings: string[] = []
  if (required !== undefined && !/^(true|false|)$/i.test(required.trim())) {
    warnings.push(`REQUIRE_EMAIL_VERIFICATION is '${required}', neither true nor false: it counts as false`)
  }
  if (settings.REQUIRE_EMAIL_VERIFICATION && settings.MAIL_FROM === '') {
    warnings.push(
      'REQUIRE_EMAIL_VERIFICATION is on but MAIL_FROM is not set: nobody can verify their address and log in',
    )
  }
  if (settings.ADMIN_EMAIL !== '' && !settings.REQUIRE_EMAIL_VERIFICATION) {
    warnings.push(
      'ADMIN_EMAIL is set without REQUIRE_EMAIL_VERIFICATION: anyone who registers that address first becomes an administrator',
    )
  }
  return warnings
}

/** Edits of one character by which a mistyped name may differ: two, for swapped letters; one for short names. */
const maxEdits = (name: string): number => (name.length < 9 ? 1 : 2)

/** The known name that a mistyped one is closest to, if any is close enough. */
export const closestTo = (name: string, known: readonly string[]): string | undefined =>
  known
    .map(candidate => ({ candidate, edits: leven(name, candidate) }))
    .filter(({ candidate, edits }) => edits <= maxEdits(candidate))
    .sort((a, b) => a.edits - b.edits)[0]?.candidate

/** A warning for each environment variable whose name is close to a known one. */
export const nearNames = (env: Record<string, string | undefined>, known: readonly string[]): string[] =>
  [...inCapitals(env).keys()]
    .filter(name => !known.includes(name))
    .flatMap(name => {
      const meant = closestTo(name, known)
      return meant ? [`${name} is not a setting. Did you mean ${meant}?`] : []
    })
