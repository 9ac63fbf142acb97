// A query in the languages in which people send it. A link may have brought the query: nothing in it is to get out of the
// quotes that it stands in, nor to look like anything else than it is.
import { encodeFully, type Parameter, type QueryRequest, writeQuery } from './request.ts'

/** What a terminal would act upon while somebody pastes it, and what changes the order in which a text is read. */
const unseen = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u
const everyUnseen = new RegExp(unseen, 'gu')

/** Each takes a request and gives its text, to be pasted as it is. */
export const forms = { url: writeUrl, curl: writeCurl, fetch: writeFetch, python: writePython } as const
export type FormName = keyof typeof forms

function writeUrl({ endpoint, parameters }: QueryRequest): string {
  return `${endpoint}?${writeQuery(parameters)}`
}

/** For POSIX shells. */
function writeCurl({ endpoint, method, parameters }: QueryRequest): string {
  // Brackets and braces in an address would be a pattern of several addresses.
  const options = `${method === 'GET' ? ' --get' : ''}${/[[\]{}]/.test(endpoint) ? ' --globoff' : ''}`
  return [`curl${options} ${quoteForShell(endpoint)}`, ...parameters.map(writeData)].join(' \\\n  ')
}

/**
 * curl encodes what follows the first `=`, and nothing before it. A name that is empty it would leave out with its `=`, so
 * such a pair is encoded here, as is what no shell's argument can hold (NUL) and what acts upon a terminal.
 */
function writeData([name, value]: Parameter): string {
  return name === '' || unseen.test(value)
    ? `--data-raw ${quoteForShell(`${encodeFully(name)}=${encodeFully(value)}`)}`
    : `--data-urlencode ${quoteForShell(`${encodeFully(name)}=${value}`)}`
}

/** Between single quotes all is literal but the single quote itself (POSIX.1-2024, Shell Command Language, 2.2.2). */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** What a script calls; nothing here does. */
const caller = 'fetch'

/** An array of pairs: an object would take `__proto__` for something else, and put numbers first. */
function writeFetch({ endpoint, method, parameters, isJson }: QueryRequest): string {
  const pairs = parameters.map(([name, value]) => `  [${quoteForScript(name)}, ${quoteForScript(value)}],`)
  const given =
    method === 'GET'
      ? `${quoteForScript(`${endpoint}?`)} + query`
      : `${quoteForScript(endpoint)}, { method: 'POST', body: query }`
  return [
    'const query = new URLSearchParams([',
    ...pairs,
    ']);',
    `const response = await ${caller}(${given});`,
    `const data = await response.${isJson ? 'json' : 'text'}();`,
  ].join('\n')
}

/** A literal that may stand in a page's script too: there `</script` would end it, and `<!--` change how it ends. */
function quoteForScript(text: string): string {
  return quote(text).replace(/<(?=!--|\/?script)/gi, String.raw`\x3c`)
}

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
