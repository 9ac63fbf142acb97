import { maxAddress } from '../../shared/accounts/email.ts'
import { passwordLength } from '../../shared/accounts/passwords/password.ts'
import { maxLabelLength, maxNameLength } from '../../shared/accounts/schemas.ts'
import type { OpenapiDocument } from '../../shared/api/openapi/document.ts'
import { type Operation, operations } from '../../shared/api/openapi/operations.ts'
import { type Route, routes } from '../../shared/api/routes.ts'
import { code, table } from './markdown.ts'

/** What the route table and the API's description say about each endpoint. */

const described = operations.filter(({ row }) => row.function !== 'catalogue')

/** `{email, name?}`: the members of a body. */
function bodyOf({ row }: Operation, document: OpenapiDocument): string {
  if (!row.body) return ''
  const { properties, required = [] } = document.components.schemas[row.body] as {
    properties: object
    required?: string[]
  }
  return code(
    `{${Object.keys(properties).map(name => (required.includes(name) ? name : `${name}?`))}}`.replaceAll(',', ', '),
  )
}

function exampleOf(document: OpenapiDocument, { path, method, status }: Pick<Operation, 'path' | 'method' | 'status'>) {
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[status]
  const { content = {} } = response && 'content' in response ? response : {}
  return content['application/json']?.example
}

export const endpointTable = (document: OpenapiDocument): string =>
  table(
    ['Endpoint', 'What it does', 'Token', 'Limit', 'Body', 'Answer'],
    described.map(operation => {
      const { method, path, row, summary, status, shape } = operation
      return [
        code(`${method} ${path}`),
        summary,
        row.access === 'bearer' ? 'yes' : '',
        String(row.limit ?? ''),
        bodyOf(operation, document),
        `${status} ${code(shape)}`,
      ]
    }),
  )

/** The paths of a function that serves several, with what each does. */
export const pathTable = (name: Route['function']): string =>
  table(
    ['Path', 'Answer'],
    Object.values<Route>(routes).flatMap(row => (row.function === name ? [[code(row.on), row.summary]] : [])),
  )

export const bodyList = (): string =>
  [
    `- \`email\` and \`new_email\`: an address of at most ${maxAddress} characters. White space around it is ignored, and capitals become small letters:`,
    '  store the form that the API answers with.',
    `- \`password\` and \`new_password\`, when people choose one: ${passwordLength.min} to ${passwordLength.max} characters of any kind, counted as Unicode`,
    '  code points. When the API checks one: any string.',
    `- \`name\`: text, or null. A name of at most ${maxNameLength} characters without control characters. \`PUT /auth/me\` changes nothing if`,
    '  it is null or missing.',
    '- `token`: from the link in a mail.',
    `- \`session\`: an object, \`{label?}\`. \`label\` follows the rules of \`name\`, with at most ${maxLabelLength} characters.`,
    '- `refresh_token`: the newest one of the session. `id`: of a session, from the list.',
  ].join('\n')

export function answerExamples(document: OpenapiDocument): string {
  const example = (path: string, method: string, status: 200): string =>
    `\`\`\`json\n${JSON.stringify(exampleOf(document, { path, method, status }), null, 2)}\n\`\`\``
  const messages = described
    .filter(({ shape }) => shape === 'MessageResponse')
    .map(operation => {
      const { message } = exampleOf(document, operation) as { message: string }
      return [code(`${operation.method} ${operation.path}`), message]
    })
  return [
    '`UserResponse`, the account. `created_at` is RFC 3339 in UTC:',
    example('/auth/me', 'get', 200),
    '`Token`. `expires_in` is in seconds:',
    example('/auth/login', 'post', 200),
    '`MessageResponse`. The text is for people:',
    example('/auth/verify-email', 'post', 200),
    table(['Endpoint', '`message`'], messages),
  ].join('\n\n')
}
