import { describe, expect, test } from 'vitest'
import { maxAddress } from '../../shared/accounts/email.ts'
import { guessing } from '../../shared/accounts/guesses.ts'
import { passwordLength } from '../../shared/accounts/passwords/password.ts'
import { rememberedClients } from '../../shared/accounts/remembered-clients.ts'
import { maxNameLength } from '../../shared/accounts/schemas.ts'
import { type Operation, operations } from '../../shared/api/openapi/operations.ts'
import { discoveryResponse } from '../../shared/api/replies.ts'
import { type ErrorCode, refusals } from '../../shared/base/errors.ts'
import { accountsPerClient, minute } from '../../shared/base/limits/policy.ts'
import { document } from '../support/api/openapi.ts'
import { synthesize } from '../support/stack/template.ts'
import { blocksUnder, cellsOf, line, proseUnder, tableUnder } from './guide.ts'

/** `docs/integrate.md` repeats what the code says: a test that fails prints what is due. */

const described = operations.filter(({ row }) => row.function !== 'catalogue')
const schemas = document.components.schemas as Record<string, { properties: object; required?: string[] }>

/** `{email, name?}`: the members of a body. */
function bodyOf({ row }: Operation): string {
  if (!row.body) return ''
  const { properties, required = [] } = schemas[row.body] ?? { properties: {} }
  const members = Object.keys(properties).map(name => (required.includes(name) ? name : `${name}?`))
  return `\`{${members.join(', ')}}\``
}

/** What the document shows as the answer of an operation. */
function exampleOf(path: string, method: string, status: number): unknown {
  const response = document.paths[path]?.[method]?.responses[status]
  const { content = {} } = response && 'content' in response ? response : {}
  return content['application/json']?.example
}

/** `200 Token`. A message is told. */
function answerOf({ status, shape, path, method }: Operation): string {
  if (shape !== 'MessageResponse') return `${status} \`${shape}\``
  const { message } = exampleOf(path, method.toLowerCase(), status) as { message: string }
  return `${status} \`MessageResponse\`: ${message}`
}

describe('the guide to integrating', () => {
  test('has each endpoint with what it takes and answers, in the order of the route table', () => {
    const due = described.map(operation => {
      const { method, path, row } = operation
      const token = row.access === 'bearer' ? 'yes' : ''
      return line(`\`${method} ${path}\``, token, String(row.limit ?? ''), bodyOf(operation), answerOf(operation))
    })
    expect(tableUnder('Endpoints')).toEqual(due)
  })

  test('shows an example of each answer about accounts', () => {
    const shown = blocksUnder('Answers', 'json').map(block => JSON.parse(block))
    expect(shown).toEqual([
      exampleOf('/auth/me', 'get', 200),
      exampleOf('/auth/login', 'post', 200),
      exampleOf('/auth/verify-email', 'post', 200),
    ])
  })

  test('says of each error what to do, in the order of errors.ts', () => {
    const advice = new Map(tableUnder('Errors').map(text => [cellsOf(text)[0], cellsOf(text)[3]]))
    const due = (Object.keys(refusals) as ErrorCode[]).map(code => {
      const [status, text] = refusals[code]
      return line(`\`${code}\``, String(status), text, advice.get(`\`${code}\``) ?? 'WHAT TO DO')
    })
    expect(tableUnder('Errors')).toEqual(due)
    for (const text of advice.values()) expect(text?.length).toBeGreaterThan(10)
    expect([...advice.values()]).not.toContain('WHAT TO DO')
  })

  test('names each claim of a token', () => {
    const named = tableUnder('What a token says').map(text => cellsOf(text)[0])
    expect(named).toEqual(discoveryResponse('').claims_supported.map(claim => `\`${claim}\``))
  })

  test('lists what pages of other origins may send and read', () => {
    const { CorsConfiguration } = synthesize().only('AWS::ApiGatewayV2::Api').Properties as {
      CorsConfiguration: Record<string, string[]>
    }
    const list = (names: string[] = []) => names.map(name => `\`${name}\``).join(', ')
    expect(tableUnder('CORS')).toEqual([
      line('`CORS_ORIGINS`', 'Origins', list(CorsConfiguration.AllowOrigins)),
      line('`Access-Control-Allow-Methods`', 'Methods', list(CorsConfiguration.AllowMethods)),
      line('`Access-Control-Allow-Headers`', 'Headers that pages may send', list(CorsConfiguration.AllowHeaders)),
      line('`Access-Control-Expose-Headers`', 'Headers that pages may read', list(CorsConfiguration.ExposeHeaders)),
    ])
  })

  test.each([
    ['Bodies', /(\d+) to (\d+) characters/, [passwordLength.min, passwordLength.max]],
    ['Bodies', /name of at most (\d+)/, [maxNameLength]],
    ['Bodies', /address of at most (\d+)/, [maxAddress]],
    [
      'Limits',
      /(\d+) wrong passwords in (\d+) minutes for an address from one remote address, and (\d+) in an hour/,
      [guessing.pair.limit, guessing.pair.seconds / minute, guessing.address.limit],
    ],
    ['Limits', /can open (\d+) accounts in a day/, [accountsPerClient.policy.limit]],
    ['Limits', /the last (\d+) remote addresses/, [rememberedClients]],
  ])('states the numbers under %s rightly: %s', (heading, passage, numbers) => {
    const [, ...stated] = passage.exec(proseUnder(heading)) ?? []
    expect(stated.map(Number)).toEqual(numbers)
  })
})
