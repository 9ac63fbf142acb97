import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { Granted } from '../api/deps.ts'
import { discoveryResponse } from '../api/make-replies.ts'
import { answerTo, caching, commonHeaders, problem } from '../shared/base/answer.ts'
import { logError } from '../shared/base/log.ts'

/**
 * Serves the key set (RFC 7517 §5), and the discovery document that names it. The document takes no call of KMS: API Gateway's
 * authorizers wait for it.
 */
const signingKeys =
  (deps: Granted<'signing-keys'>) =>
  async ({ rawPath, requestContext }: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { method } = requestContext.http
    try {
      const document = rawPath.endsWith('/jwks.json') ? await deps.publicKeys.listUsable() : discoveryResponse(deps)
      // Verifiers fetch the keys again after this time. A new key is published well before it signs.
      const headers = { ...commonHeaders, 'content-type': 'application/json', 'cache-control': caching.fiveMinutes }
      return answerTo(method, { statusCode: 200, headers, body: JSON.stringify(document) })
    } catch (error) {
      logError(deps, error)
      return answerTo(method, problem(error))
    }
  }

export default signingKeys
