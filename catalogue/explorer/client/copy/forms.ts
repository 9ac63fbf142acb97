// A query as a URL and as code that sends it. It may come from a stranger's link, so nothing in it may escape its
// quotes or look like something else.
import { encodeFully, type Parameter, writeUrl } from './address.ts'
import type { QueryRequest } from './request.ts'

/** Control characters, which act on a terminal when pasted, and characters that reorder text. */
const unseen = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u
const everyUnseen = new RegExp(unseen, 'gu')

/** Each turns a request into text to paste. */
export const forms = { url: writeUrl, curl: writeCurl, fetch: writeFetch, python: writePython } as const
export type FormName = keyof typeof forms

/** The sender of the query, with a placeholder, as Wikimedia asks (Wikimedia Foundation User-Agent Policy). */
const userAgent = 'MyApp/1.0 (https://example.org/my-app; me@example.org)'

function writeCurl({ endpoint, method, parameters }: QueryRequest): string {
  // curl reads brackets and braces in a URL as a pattern for several URLs.
  const options = `${method === 'GET' ? ' --get' : ''}${/[[\]{}]/.test(endpoint) ? ' --globoff' : ''}`
  const agent = `--user-agent ${quoteForShell(userAgent)}`
  return [`curl${options} ${quoteForShell(endpoint)}`, agent, ...parameters.map(writeData)].join(' \\\n  ')
}

/**
 * curl encodes only what follows the first `=`, and drops an empty name with its `=`. So pairs with an empty name are
 * encoded here, and values that a shell argument cannot contain (NUL) or that act on a terminal.
 */
const writeData = ([name, value]: Parameter): string =>
  name === '' || unseen.test(value)
    ? `--data-raw ${quoteForShell(`${encodeFully(name)}=${encodeFully(value)}`)}`
    : `--data-urlencode ${quoteForShell(`${encodeFully(name)}=${value}`)}`

/** Between single quotes every other character is literal (POSIX.1-2024, Shell Command Language, 2.2.2). */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Called by the written script, not by this file. */
const caller = 'fetch'

/** Pages of other sites may read only answers to queries with an origin, which a POST has in its address too. */
const anyOrigin = ['origin', '*'] as const

/** An array of pairs: in an object `__proto__` would set the prototype, and numeric names would move to the front. */
function writeFetch({ endpoint, method, parameters, isJson }: QueryRequest): string {
  const isNamed = parameters.some(([name]) => name === 'origin')
  const sent = isNamed || method === 'POST' ? parameters : [...parameters, anyOrigin]
  const address = isNamed || method === 'GET' ? endpoint : `${endpoint}?origin=*`
  const pairs = sent.map(([name, value]) => `  [${quoteForScript(name)}, ${quoteForScript(value)}],`)
  const given =
    method === 'GET'
      ? `${quoteForScript(`${endpoint}?`)} + query`
      : `${quoteForScript(address)}, { method: 'POST', body: query }`
  return [
    'const query = new URLSearchParams([',
    ...pairs,
    ']);',
    `const response = await ${caller}(${given});`,
    `const data = await response.${isJson ? 'json' : 'text'}();`,
  ].join('\n')
}

/** A literal that is also safe in a page's `<script>`, which `</script` would end and `<!--` would extend. */
const quoteForScript = (text: string): string => quote(text).replace(/<(?=!--|\/?script)/gi, String.raw`\x3c`)

function writePython({ endpoint, method, parameters, isJson }: QueryRequest): string {
  const pairs = parameters.map(([name, value]) => `        ${quote(name)}: ${quote(value)},`)
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${quote(endpoint)},`,
    `    ${method === 'GET' ? 'params' : 'data'}={`,
    ...pairs,
    '    },',
    `    headers={'User-Agent': ${quote(userAgent)}},`,
    ')',
    `data = response.${isJson ? 'json()' : 'text'}`,
  ].join('\n')
}

/** A literal in JavaScript (ECMA-262, 12.9.4) and in Python (Language Reference, 2.5), which agree on these escapes. */
function quote(text: string): string {
  const quoted = text.replace(/[\\']/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)
  return `'${quoted.replace(everyUnseen, writeEscape)}'`
}

function writeEscape(character: string): string {
  const digits = character.charCodeAt(0).toString(16)
  return digits.length > 2 ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`
}
