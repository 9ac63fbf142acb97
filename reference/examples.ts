// An operation as client code. `{{origin}}` becomes the API's address when the page is served.
import type { Parameter } from '../api/openapi/parameters.ts'
import { escapeHtml } from '../shared/base/html.ts'
import { html, type Markup } from '../shared/prebuilt/markup.ts'
import type { Entry } from './source.ts'

/** The languages, and how each writes a call. */
const languages = {
  curl: { label: 'curl', write: writeCurl },
  fetch: { label: 'fetch', write: writeFetch },
  python: { label: 'Python', write: writePython },
} as const

/** A request. Values are those of the document's examples. */
type Call = ReturnType<typeof callOf>

function callOf({ operation, described }: Entry) {
  const { method, path, row, type } = operation
  const { parameters = [], requestBody } = described
  const exampleOf = ({ example, schema }: Parameter) => example ?? (schema.examples?.[0] as string | undefined)
  const filled = parameters
    .filter(parameter => parameter.in === 'path')
    .reduce((url, parameter) => url.replace(`{${parameter.name}}`, exampleOf(parameter) ?? ''), path)
  const query = parameters.flatMap(parameter => {
    const example = exampleOf(parameter)
    return parameter.in === 'query' && example !== undefined ? [[parameter.name, example] as const] : []
  })
  const { 'application/json': json, 'application/x-www-form-urlencoded': form } = requestBody?.content ?? {}
  return {
    method,
    url: `{{origin}}${filled}`,
    query: Object.fromEntries(query) as Record<string, string>,
    body: json?.example as unknown,
    form: (json ? {} : (form?.example ?? {})) as Record<string, string>,
    needsToken: row.access === 'bearer',
    isJson: type.includes('json'),
  }
}

/** Between single quotes every other character is literal (POSIX.1-2024, Shell Command Language, 2.2.2). */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function writeCurl({ method, url, query, body, form, needsToken }: Call): string {
  const pairs = Object.entries({ ...query, ...form }).map(
    ([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${value}`)}`,
  )
  const isUsual = method === (body === undefined && isEmpty(form) ? 'GET' : 'POST')
  return [
    `curl ${isUsual ? '' : `-X ${method} `}${isEmpty(query) ? '' : '-G '}${url}`,
    ...(needsToken ? ['-H "Authorization: Bearer $ACCESS_TOKEN"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoteForShell(JSON.stringify(body, null, 2))}`]),
    ...pairs,
  ].join(' \\\n  ')
}

function writeFetch({ method, url, query, body, form, needsToken, isJson }: Call): string {
  const hasQuery = !isEmpty(query)
  const headers = [
    ...(needsToken ? [`Authorization: \`Bearer \${accessToken}\``] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(asScript(body))}),`]),
    ...(isEmpty(form) ? [] : [`  body: new URLSearchParams(${indent(asScript(form))}),`]),
  ]
  const address = hasQuery ? `\`${url}?\${query}\`` : `"${url}"`
  return [
    ...(hasQuery ? [`const query = new URLSearchParams(${asScript(query)})`] : []),
    `const response = await fetch(${address}${options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''})`,
    `const answer = await response.${isJson ? 'json' : 'text'}()`,
  ].join('\n')
}

const isEmpty = (members: Record<string, string>): boolean => Object.keys(members).length === 0

/** JSON is a literal of JavaScript; names need no quotes. */
const asScript = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll(/^( *)"(\w+)":/gm, '$1$2:')

const indent = (text: string): string => text.replaceAll('\n', '\n  ')

function writePython({ method, url, query, body, form, needsToken, isJson }: Call): string {
  const given = [
    `    "${url}",`,
    ...(needsToken ? ['    headers={"Authorization": f"Bearer {access_token}"},'] : []),
    ...(isEmpty(query) ? [] : [`    params=${asPython(query)},`]),
    ...(body === undefined ? [] : [`    json=${asPython(body)},`]),
    ...(isEmpty(form) ? [] : [`    data=${asPython(form)},`]),
  ]
  return [
    'import requests\n',
    `response = requests.${method.toLowerCase()}(\n${given.join('\n')}\n)`,
    `answer = response.${isJson ? 'json()' : 'text'}`,
  ].join('\n')
}

/** JSON is a literal of Python, except for three words. */
const asPython = (value: unknown): string =>
  JSON.stringify(value, null, 4)
    .replaceAll(/(?<=: |^ +)(true|false|null)(?=,?$)/gm, word => ({ true: 'True', false: 'False' })[word] ?? 'None')
    .replaceAll('\n', '\n    ')

/**
 * The call in every language.
 *
 * @param then what is read from its answer, by language
 * @param without a member to leave out of the body
 */
export function writeExamples(
  entry: Entry,
  name: string,
  then: Partial<Record<keyof typeof languages, Then>> = {},
  without = '',
): Markup {
  const whole = callOf(entry)
  const call = without === '' ? whole : { ...whole, body: { ...(whole.body as object), [without]: undefined } }
  return html`${(Object.keys(languages) as (keyof typeof languages)[]).map(language => {
    const { label, write } = languages[language]
    return snippet(`${name} with ${label}`, label, (then[language] ?? (code => code))(write(call)), `in-${language}`)
  })}`
}

type Then = (code: string) => string

/** Logs in and keeps the token for the other examples. fish has no assignment without `export`. */
export const keepToken: Record<keyof typeof languages, Then> = {
  curl: code =>
    `export ACCESS_TOKEN=$(${code.replace('curl ', 'curl -s ')} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
  fetch: code => `${code}\nconst accessToken = answer.access_token`,
  python: code => `${code}\naccess_token = answer["access_token"]`,
}

export function snippet(name: string, label: string, code: string, kind: string): Markup {
  return html`<figure class="snippet ${kind}" aria-label="${name}"><figcaption>${label}</figcaption>
    <pre><code>${preformat(code)}</code></pre></figure>`
}

/** Without line breaks, because indentation is stripped after them. */
const preformat = (text: string): Markup => ({ markup: escapeHtml(text).replaceAll('\n', '&#10;') })

export function languageChoice(): Markup {
  return html`<fieldset class="languages"><legend>Examples in</legend>
    ${Object.entries(languages).map(
      ([name, { label }], index) =>
        html`<label><input type="radio" name="language" id="in-${name}"${index === 0 ? html` checked` : null}> ${label}</label>`,
    )}
    </fieldset>`
}
