// Texts that contain a query: commands, calls, objects and lists of any language, raw requests.

import { chooses } from './frame.ts'
import { type Code, type CodePart, join, type Literal, literalAt, maskHoles, within } from './literal.ts'
import { readProgram } from './program.ts'
import { addressesIn } from './prose.ts'
import { isCommand, readCommand } from './shell.ts'

/** The content of code. `parts` are in the order of the text. */
export type ReadCode = { address: Literal | null; parts: CodePart[]; leftOut: string[] }

const request = /^\s*(?:GET|POST|HEAD)\s+(\S+)(?:\s+HTTP\/[\d.]+)?[^\S\n]*(?:\n|$)/i
const host = /^host:\s*(\S+)/im
const line = /^\s*([\w[\]-]+)(?:[^\S\n]*[:\t]|[^\S\n]+=(?=\s))\s*(.*?)\s*$/d

/** Characters: the longest body of the check. */
const longest = 64 * 1024

/** The beginnings of calls, objects and programs. */
const callLike =
  /^\s*(?:(?:(?:const|let|var|my|await|return|async|print|echo|[\w$.]+\s*:?=)\s+)*[\w$.:>-]*\w\(|[{[<].*["'`:=]|(?:package|import|from|require|use|using|library|def|for|function|func|fn|Invoke-\w+|irm|iwr)\b|#!|\$\w+\s*=|(?:const|let|var|my)\s|[\w$.]+\s*:?=\s+\S)/s

/**
 * Reads a text that is no plain query.
 *
 * @returns `unread` if it calls something without a readable query; null if it calls nothing
 */
export function readCode(text: string): ReadCode | 'unread' | null {
  if (text.length > longest) return isCommand(text) || callLike.test(text) ? 'unread' : null
  const code = readRequest(text) ?? readLines(text) ?? readBeside(text) ?? (isCommand(text) ? readCommand(text) : null)
  const read = code && settle(code)
  if (read) return read
  const program = readProgram(text)
  const inProgram = program && settle(program)
  if (inProgram) return inProgram
  const inProse = settle({ addresses: addressesIn(text), parts: [] })
  if (inProse) return inProse
  return isCommand(text) || (program !== null && callLike.test(text)) ? 'unread' : null
}

/** The one called address, and every part once. Null without a query. */
function settle({ addresses, parts: given, leftOut = [] }: Code): ReadCode | null {
  const parts = given.flatMap(inObject)
  const address =
    addresses.find(({ text }) => chooses.test(text)) ??
    addresses.find(({ text }) => /api\.php/i.test(text)) ??
    addresses.find(({ text }) => /\?./.test(text)) ??
    addresses.find(({ text }) => /^(?:https?:)?\/\//i.test(text)) ??
    null
  if (parts.length === 0 && !/[?#][^=]*=/.test(address?.text ?? '')) return null
  const startOf = (part: CodePart) => ('query' in part ? part.query : part.name).places[0] ?? 0
  return { address, parts: parts.sort((a, b) => startOf(a) - startOf(b)), leftOut }
}

/** The members of an object in a text, such as a command's JSON. */
function inObject(part: CodePart): CodePart[] {
  if (!('query' in part && /^\s*\{/.test(maskHoles(part.query)))) return [part]
  const { query: outer } = part
  return (readProgram(outer.text)?.parts ?? []).map(inner =>
    'query' in inner
      ? { query: within(outer, inner.query) }
      : { ...inner, name: within(outer, inner.name), values: inner.values.map(value => within(outer, value)) },
  )
}

/** A raw request: its first line, its host, and a body after an empty line. */
function readRequest(text: string): Code | null {
  const [first = '', target = ''] = request.exec(text) ?? []
  if (!/[/?]/.test(target)) return null
  const at = first.indexOf(target)
  const server = target.startsWith('/') ? host.exec(text)?.[1] : undefined
  const address = join([literalAt(server ? `https://${server}` : '', at), literalAt(target, at)])
  const [, body] = /\n\r?\n(\S.*)$/s.exec(text.slice(first.length)) ?? []
  const parts = body === undefined ? [] : [{ query: literalAt(body.trimEnd(), text.length - body.length) }]
  return { addresses: [address], parts }
}

/** A request's header: no name of the API contains a hyphen. The rest of its line is blanked. */
const headers =
  /^[^\S\n]*:?(?:\w+-[\w-]+|accept|authori\w+|connection|cookie|host|pragma|priority|referr?er):[^\S\n].*$/gim
const withoutHeaders = (text: string): string => text.replace(headers, line => ' '.repeat(line.length))

/** A query with headers on adjacent lines. */
function readBeside(text: string): Code | null {
  const rest = withoutHeaders(text)
  if (rest === text || !rest.split('\n').every(line => /^\s*(?:(?:\S*\?)?[\w%[\]]+=.*)?$/.test(line))) return null
  const query = literalAt(rest.trim(), rest.length - rest.trimStart().length)
  return /^[^=]*\?/.test(query.text) ? { addresses: [query], parts: [] } : { addresses: [], parts: [{ query }] }
}

/** Lines such as `list = search`, or `list: search`, as browsers' developer tools copy request data. */
function readLines(text: string): Code | null {
  const parts: { name: Literal; values: Literal[] }[] = []
  let start = 0
  for (const each of withoutHeaders(text).split('\n')) {
    const found = line.exec(each)
    const [, name = '', value = ''] = found ?? []
    if (each.trim() !== '' && (!found || /^["'[{]|[,;]$/.test(value))) return null
    const [, nameAt = [0], valueAt = [0]] = found?.indices ?? []
    if (found) parts.push({ name: literalAt(name, start + nameAt[0]), values: [literalAt(value, start + valueAt[0])] })
    start += each.length + 1
  }
  const isQuery = parts.length > 1 && parts.some(({ name }) => chooses.test(`${name.text}=`))
  return isQuery ? { addresses: [], parts } : null
}
