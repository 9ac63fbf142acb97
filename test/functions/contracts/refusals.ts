// The endpoints' refusals, for the tests of their exact contracts.
import type { EndpointName } from '../../../api/routes.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import type { Harness } from '../../support/service/harness.ts'
import type { Received } from '../../support/service/http.ts'

/** The status and the sentence of an answer. */
export async function detailOf(answer: Promise<Received>): Promise<[status: number, detail: string]> {
  const { status, body } = await answer
  return [status, body.detail]
}

/** The refusal of a body of another shape: 422, with pointers to the wrong members. */
export async function complaints(
  harness: Harness,
  name: EndpointName,
  body: object,
): Promise<[status: number, pointers: string[]]> {
  harness.config.rateLimits = null
  const answer = await send(harness, name, { body, headers: await bearer(harness) })
  return [answer.status, (answer.body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)]
}
