import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { caching } from '../shared/caching.ts'
import type { Granted } from '../shared/deps.ts'
import { answerTo } from '../shared/http/head.ts'
import { commonHeaders, problem } from '../shared/http/problem.ts'
import { lambda } from '../shared/lambda.ts'
import { publicKeys, system } from '../shared/live.ts'
import { report } from '../shared/log.ts'

/** The key set (RFC 7517 §5), or where it is. */
const signingKeys =
  (deps: Granted<'signing-keys'>) =>
  async ({ rawPath, requestContext }: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { method } = requestContext.http
    try {
      const document = rawPath.endsWith('/jwks.json') ? await deps.publicKeys() : discovery(deps.config.issuer)
      // Verifiers ask again after this long; a new key is published well before it signs.
      const headers = { ...commonHeaders, 'content-type': 'application/json', 'cache-control': caching.fiveMinutes }
      return answerTo(method, { statusCode: 200, headers, body: JSON.stringify(document) })
    } catch (error) {
      report(deps, error)
      return answerTo(method, problem(error))
    }
  }

/**
 * As much of a discovery document (OpenID Connect Discovery 1.0 §3) as verifiers of tokens read: there is no flow of
 * OpenID Connect here to tell of.
 */
const discovery = (issuer: string) => ({
  issuer,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  response_types_supported: [],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  claims_supported: ['sub', 'email', 'email_verified', 'ver', 'iss', 'aud', 'iat', 'exp'],
})

export default signingKeys
export const handler = lambda(signingKeys, () => ({ ...system, ...publicKeys() }))
