import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { Configured } from '../base/config.ts'
import { DomainError } from '../base/errors.ts'

/**
 * Refuses what a page of an origin sends that `CORS_ORIGINS` does not name, unless the page is the service's own. CORS
 * alone would only hide the answer from it. Browsers set both headers, and no page can change them (Fetch standard,
 * "Origin header"; Fetch Metadata). Programs other than browsers send neither.
 *
 * @throws {DomainError} `origin-not-allowed`
 */
export function requireAllowedOrigin(
  { config: { corsOrigins } }: Configured<'corsOrigins'>,
  { headers: { origin, host, 'sec-fetch-site': site } }: Pick<APIGatewayProxyEventV2, 'headers'>,
): void {
  if (corsOrigins === null || site === 'same-origin') return
  const isAllowed =
    origin === undefined ? site !== 'cross-site' : corsOrigins.includes(origin) || hostOf(origin) === host
  if (!isAllowed) throw new DomainError('origin-not-allowed')
}

/** Null for the opaque origin, `null`. */
const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null)
