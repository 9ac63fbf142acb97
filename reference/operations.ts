import { isOfAuthenticator } from '../api/openapi/examples.ts'
import type { Parameter } from '../api/openapi/parameters.ts'
import type { Response } from '../api/openapi/responses.ts'
import type { Schema } from '../api/openapi/schemas.ts'
import { advice, type ErrorCode, refusalAmong } from '../shared/base/errors.ts'
import { html, join, type Markup } from '../shared/prebuilt/markup.ts'
import { causeOf, isUsual } from './errors.ts'
import { snippet, writeExamples } from './examples.ts'
import { named, prose, sentence } from './prose.ts'
import { type Member, membersOf, memberTable, typeOf, writeTable } from './shapes.ts'
import { type Entry, resolve, type Source } from './source.ts'

/** An operation: its input, its answers, its refusals, and how to call it. */
export function writeOperation(entry: Entry, source: Source): Markup {
  const { operation, described, title, settings } = entry
  const { name, method, path, row, status } = operation
  const response = resolve<Response>(source, described.responses[status] as Response)
  const [type = '', { schema, example } = {}] = Object.entries(response.content ?? {})[0] ?? []
  return html`<article class="operation" id="${name}" data-kind="${method} ${path}" aria-labelledby="${name}-title">
    <div class="text">
    <h3 id="${name}-title"><a class="anchor" href="#${name}">${title}</a></h3>
    <p class="call"><span class="method">${method}</span> <code>${path}</code></p>
    ${described.description ? html`<p>${prose(described.description, source)}</p>` : null}
    <p>${writeAccess(entry)}
    ${row.also ? html`The same is at <code>${row.also}</code>.` : null}</p>
    ${memberTable('Parameters', (described.parameters ?? []).map(parameterMember), source)}
    ${writeBody(entry, source)}
    <h4>Answer: ${status}</h4>
    <p>${prose(sentence(response.description), source)}
    It is ${schema ? typeOf(schema as Schema, source) : 'text'}, <code>${type}</code>.</p>
    ${schema ? memberTable('Members of the answer', membersOf(schema as Schema, source), source) : null}
    ${writeHeaders(response)}
    ${writeRefusals(entry, source)}
    ${settings.length > 0 ? html`<p class="note">Settings that change it: ${listNames(settings, source)}.</p>` : null}
    </div>
    <div class="code">
    ${row.ownPages || (row.body && isOfAuthenticator(row.body)) ? null : writeExamples(entry, title)}
    ${example === undefined ? null : writeAnswer(`An answer to ${title}`, status, example)}
    </div>
    </article>`
}

function writeAccess({ operation: { row } }: Entry): Markup {
  if (row.ownPages)
    return html`This service's own pages call it: no other page may, and no cookie of a program is read.`
  return row.access === 'bearer'
    ? html`It takes an <a href="#access-token">access token</a>${row.scopes?.includes('openid') ? html` of an application` : null}.`
    : html`Anyone may call it.`
}

/** Answers of at most this many lines are open from the start: the tables beside them are at least as long. */
const shortAnswer = 30

function writeAnswer(name: string, status: number, example: unknown): Markup {
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  const isShort = text.split('\n').length <= shortAnswer
  return html`<details${isShort ? html` open` : null}><summary>An answer</summary>
    ${snippet(name, String(status), text, 'answer')}</details>`
}

const places = { path: 'in the path', query: 'in the query string', header: 'a header field' }

const parameterMember = (parameter: Parameter): Member => ({
  name: parameter.name,
  schema: parameter.schema,
  isOptional: !parameter.required,
  description: parameter.description,
  note: places[parameter.in],
})

function writeBody({ described: { requestBody } }: Entry, source: Source): Markup | null {
  if (!requestBody) return null
  const types = Object.keys(requestBody.content)
  const [schema] = Object.values(requestBody.content).map(({ schema }) => schema)
  return html`<h4>Body</h4>
    <p>${schema ? typeOf(schema, source) : null}, ${join(
      types.map(type => html`<code>${type}</code>`),
      ' or ',
    )}.</p>
    ${schema ? memberTable('Members of the body', membersOf(schema, source), source) : null}`
}

function writeHeaders({ headers = {} }: Response): Markup | null {
  const names = Object.keys(headers).map(name => html`<a href="#header-${name}"><code>${name}</code></a>`)
  return names.length > 0 ? html`<p class="note">With the header fields ${join(names, ', ')}.</p>` : null
}

function writeRefusals(entry: Entry, source: Source): Markup | null {
  const { codes } = entry.operation
  if (codes.length === 0) return null
  const [usual, particular] = [codes.filter(isUsual), codes.filter(code => !isUsual(code))]
  const rows = particular.map(
    code => html`<tr><th scope="row">${named(code, source)} <span class="note">${refusalAmong(codes, code)[0]}</span></th>
      <td>${ownCause(code, entry, source)}</td><td>${prose(sentence(advice[code]), source)}</td></tr>`,
  )
  const caption = html`<caption>Errors of its own</caption>`
  return html`<h4>Errors</h4>
    ${rows.length > 0 ? writeTable(caption, ['Code', 'Cause', 'What to do'], rows) : null}
    <p class="note">${particular.length > 0 ? 'Besides, as elsewhere' : 'As elsewhere'}: ${listNames(usual, source)},
    and <a href="#gateway">what API Gateway answers by itself</a>.</p>`
}

const listNames = (names: readonly string[], source: Source): Markup =>
  join(
    names.map(name => named(name, source)),
    ', ',
  )

/** An operation's own text for a code, if it differs. */
function ownCause(code: ErrorCode, { described, operation }: Entry, source: Source): Markup {
  const [status, text] = refusalAmong(operation.codes, code)
  const response = resolve<Response>(source, described.responses[status] as Response)
  const example = response?.content?.['application/problem+json']?.examples?.[code]
  return prose(causeOf(code, example?.summary ?? text), source)
}
