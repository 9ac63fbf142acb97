import type { Config } from './deps.ts'
import { parseRateLimits } from './rate-limit.ts'

/**
 * A function's settings, each read from the environment when it is first asked for: a function is given only those its
 * row in the route table names, and a missing one is a bug.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const required = (name: string): string => {
    const value = env[name]
    if (value === undefined) throw new Error(`the environment variable ${name} is missing`)
    return value
  }
  const optional = (name: string): string | null => required(name) || null
  return {
    get accessTokenMinutes() {
      return Number(required('ACCESS_TOKEN_EXPIRE_MINUTES'))
    },
    get adminEmail() {
      return optional('ADMIN_EMAIL')
    },
    get bcryptCost() {
      return Number(required('BCRYPT_COST'))
    },
    get issuer() {
      return required('ISSUER')
    },
    get mailFrom() {
      return optional('MAIL_FROM')
    },
    get rateLimits() {
      const limits = parseRateLimits(required('RATE_LIMITS'))
      if (typeof limits === 'string') throw new Error(`RATE_LIMITS: ${limits}`)
      return limits
    },
    get requireEmailVerification() {
      return required('REQUIRE_EMAIL_VERIFICATION') === 'true'
    },
    get siteUrl() {
      return required('SITE_URL')
    },
    get tokenAudience() {
      return required('TOKEN_AUDIENCE')
    },
  }
}
