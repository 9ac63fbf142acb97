// The endpoints' refusals, for the tests of their exact contracts.
import type { EndpointName } from '../../../api/routes.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import type { Harness } from '../../support/service/harness.ts'
import type { Received } from '../../support/service/http.ts'

export const badEmails = [
  undefined,
  null,
  1,
  true,
  [],
  {},
  '',
  'ada',
  'a@b',
  'a..b@x.com',
  '"a b"@x.com',
  'a@[127.0.0.1]',
]
export const badNames = [1, true, [], {}, 'line\nbreak', 'nul\0', '\u0085', '\u202e', '\ud800', 'x'.repeat(201)]
export const badNewPasswords = [
  undefined,
  null,
  12345678,
  {},
  ['correct horse'],
  `${'x'.repeat(20)}\ud800`,
  'x'.repeat(257),
]

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
