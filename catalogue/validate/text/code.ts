// Texts that contain a query: commands, calls, objects and lists of any language, raw requests.

import { chooses } from './frame.ts'
import { type Code, type CodePart, join, type Literal, literalAt, maskHoles, within } from './literal.ts'
import { readProgram } from './program.ts'
import { addressesIn } from './prose.ts'
import { isCommand, readCommand } from './shell.ts'

/** The content of code. `parts` are in the order of the text. */
export type ReadCode = { address: Literal | null; parts: CodePart[]; leftOut: string[] }

const request = /^\s*(?:GET|POST|HEAD)\s+(\S*[/?]\S*)(?:\s+HTTP\/[\d.]+)?[^\S\n]*(?:\n|$)/i
const host = /^host:\s*(\S+)/im
const line = /^\s*([\w[\]-]+)(?:[^\S\n]*[:\t]|[^\S\n]+=(?=\s))\s*(.*?)\s*$/

/** Characters: the longest body of the check. */
const longest = 64 * 1024

/** The beginnings of calls, objects and programs. */
const callLike =
  /^\s*(?:(?:(?:await|return|async|print|echo)\s+)*[\w$.:>-]*\w\(|[{[<].*["'`:=]|(?:package|import|from|require|use|using|library|def|for|function|func|fn|const|let|var|my|Invoke-\w+|irm|iwr)\s|#!|\$\w+\s*=|[\w$.]+\s*:?=\s+\S)/s

/**
 * Reads a text that is no plain query.
 *
 * @returns `unread` if it calls something without a readable query; null if it calls nothing
 */
export function readCode(text: string): ReadCode | 'unread' | null {
  if (text.length > longest) return isCommand(text) || callLike.test(text) ? 'unread' : null
  const sent = settle(readRequest(text) ?? readLines(text) ?? readCommand(text))
  if (sent) return sent
  const program = readProgram(text)
  const read = settle(program) ?? settle({ addresses: addressesIn(text), parts: [] })
  if (read) return read
  return isCommand(text) || (program !== null && callLike.test(text)) ? 'unread' : null
}

/** What the called address has, the most telling first. */
const ofAddress = [chooses, /api\.php/i, /\?./, /^(?:https?:)?\/\//i]

/** The one called address, and every part once. Null without a query. */
function settle(code: Code | null | undefined): ReadCode | null {
  if (!code) return null
  const { addresses, leftOut = [] } = code
  const parts = code.parts.flatMap(inObject)
  const [address = null] = ofAddress.flatMap(sign => addresses.find(({ text }) => sign.test(text)) ?? [])
  if (parts.length === 0 && !/[?#][^=]*=/.test(address?.text ?? '')) return null
  const startOf = ({ name, values }: CodePart) => (name ?? values[0])?.places[0] ?? 0
  return { address, parts: parts.sort((a, b) => startOf(a) - startOf(b)), leftOut }
}

/** The members of an object in a text, such as a command's JSON. */
function inObject(part: CodePart): CodePart[] {
  const [outer] = part.values
  if (part.name || !outer || !/^\s*\{/.test(maskHoles(outer))) return [part]
  return (readProgram(outer.text)?.parts ?? []).map(({ name, values }) => ({
    ...(name && { name: within(outer, name) }),
    values: values.map(value => within(outer, value)),
  }))
}

/** A request's header: no name of the API contains a hyphen. The rest of its line is blanked. */
const headers =
  /^[^\S\n]*:?(?:\w+-[\w-]+|accept|authori\w+|connection|cookie|host|pragma|priority|referr?er):[^\S\n].*$/gim
const withoutHeaders = (text: string): string => text.replace(headers, line => ' '.repeat(line.length))

/** A raw request, or a query with headers on adjacent lines. A body follows an address. */
function readRequest(text: string): Code | null {
  const rest = withoutHeaders(text)
  const [first = '', target] = request.exec(text) ?? []
  const isQuery = rest !== text && rest.split('\n').every(line => /^\s*(?:(?:\S*\?)?[\w%[\]]+=.*)?$/.test(line))
  if (!target && !isQuery) return null
  const address = target ?? /^\s*([^=\s]*\?\S*)/.exec(rest)?.[1] ?? ''
  const at = text.indexOf(address)
  const server = address.startsWith('/') && host.exec(text)?.[1]
  const body = rest.slice(target ? first.length : address.length + (address ? at : 0)).trim()
  return {
    addresses: [join([literalAt(server ? `https://${server}` : '', at), literalAt(address, at)])],
    parts: target && body === '' ? [] : [{ values: [literalAt(body, rest.lastIndexOf(body))] }],
  }
}

/** Lines such as `list = search`, or `list: search`, as browsers' developer tools copy request data. */
function readLines(text: string): Code | null {
  const parts: { name: Literal; values: Literal[] }[] = []
  let start = 0
  for (const each of withoutHeaders(text).split('\n')) {
    const found = line.exec(each)
    const [, name = '', value = ''] = found ?? []
    if (each.trim() !== '' && (!found || /^["'[{]|[,;]$/.test(value))) return null
    const valueAt = start + each.trimEnd().length - value.length
    if (found) parts.push({ name: literalAt(name, start + each.indexOf(name)), values: [literalAt(value, valueAt)] })
    start += each.length + 1
  }
  const isQuery = parts.length > 1 && parts.some(({ name }) => chooses.test(`${name.text}=`))
  return isQuery ? { addresses: [], parts } : null
}
