import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

/**
 * Fits an answer to the request's method. HEAD gets the answer to GET, with the length of the body in place of the body
 * (RFC 9110 §9.3.2, §8.6).
 */
export function answerTo<A extends APIGatewayProxyStructuredResultV2>(method: string, answer: A): A {
  if (method !== 'HEAD') return answer
  const { headers, body = '', isBase64Encoded = false } = answer
  const length = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8')
  return { ...answer, headers: { ...headers, 'content-length': String(length) }, body: '', isBase64Encoded: false }
}
