// A query as text: its position in the received text, its pairs, and the values of a pair.
import { decode, encode } from './encoding.ts'
import { type ObjectText, readObject, type Span } from './object.ts'

/** `name=value`, as written and decoded. `start` is where it stands in the text. */
export type Pair = {
  name: string
  value: string
  rawName: string
  /** null where there is no `=`. */
  rawValue: string | null
  start: number
  spans: { name: Span; value: Span }
  isMalformed: boolean
}

/** One of several values, decoded. */
export type Part = { text: string; span: Span }

/** The text around the query: a URL before it, a fragment after it. */
type Frame = { before: string; query: string; after: string }

/** A URL with a scheme, or one that begins with `//`. */
const address = /^(?:[a-z][a-z\d+.-]*:)?\/\//i

/** What stands before an address in a program or a shell. */
const call =
  /^\s*(?:\$\s+)?(?:(?:const|let|var)\s+)?(?:\w+\s*=\s*)?(?:await\s+)?(?:(?:\w+\.)*(?:fetch|get|post|urlopen)\s*\(|(?:curl|wget)\s)/

const quotedAddress = /(["'`])(https?:\/\/[^"'`]*)\1/
const bareAddress = /https?:\/\/[^\s"'`)]+/

/** Where the address of a call stands in a text. */
function callSpan(text: string): Span | null {
  if (!call.test(text)) return null
  const quoted = quotedAddress.exec(text)
  if (quoted) return [quoted.index + 1, quoted.index + quoted[0].length - 1]
  const bare = bareAddress.exec(text)
  return bare && [bare.index, bare.index + bare[0].length]
}

/** An address whose fragment is the query. */
const sandbox = /^\s*\S*Special(?::|%3A)ApiSandbox#/i

/** Finds the query in a text that may be a whole URL, or a call of one. The three parts are the text. */
export function frame(text: string): Frame {
  const called = callSpan(text)
  if (!called) return frameOf(text)
  const [start, end] = called
  const { before, query, after } = frameOf(text.slice(start, end))
  return { before: text.slice(0, start) + before, query, after: after + text.slice(end) }
}

function frameOf(text: string): Frame {
  const [opening] = sandbox.exec(text) ?? []
  if (opening) return cut(text, opening.length, text.trimEnd().length)
  const start = text.length - text.trimStart().length
  const hash = text.indexOf('#', start)
  const end = hash < 0 ? text.trimEnd().length : hash
  const mark = text.slice(start, end).indexOf('?')
  const head = mark < 0 ? text.slice(start, end) : text.slice(start, start + mark)
  const isAddress = address.test(head)
  if (mark < 0 && !isAddress) return cut(text, start, end)
  return cut(text, mark < 0 ? end : isAddress || !/[=&]/.test(head) ? start + mark + 1 : start, end)
}

/** Whether a text is the address of a wiki's page. */
export const isPageAddress = (text: string): boolean =>
  !sandbox.test(text) && /^\s*[^?#&=\s]*(?:(?:^|\/)wiki\/(?!api\.php)|index\.php)/.test(text)

/** Whether each `&` is written as HTML writes it. */
const isHtml = (query: string): boolean => query.includes('&amp;') && !/&(?!amp;)/.test(query)

/** The address or query that a text stands for: the text itself, but for a call, an object and HTML. */
export function plainText(text: string): string {
  const object = readObject(text)
  if (object) {
    const query = readPairs(text).map(textOf).join('&')
    if (object.address === '') return query
    const { before, after } = frameOf(object.address)
    return `${before}${/[?#]$/.test(before) ? '' : '?'}${query}${after}`
  }
  const [start, end] = callSpan(text) ?? [0, text.length]
  const { before, query, after } = frame(text.slice(start, end))
  return before + (isHtml(query) ? query.replaceAll('&amp;', '&') : query) + after
}

function cut(text: string, start: number, end: number): Frame {
  const from = Math.min(start, end)
  return {
    before: text.slice(0, from),
    query: text.slice(from, Math.max(from, end)),
    after: text.slice(Math.max(from, end)),
  }
}

/** The pairs of a text, in order: those of an address before those of the object beside it. */
export function readPairs(text: string): Pair[] {
  const object = readObject(text)
  if (!object) return pairsIn(frame(text))
  const inAddress = pairsIn(frameOf(object.address), text.indexOf(object.address))
  return [...inAddress, ...object.members.map(pairOfMember)]
}

/** Nothing between two `&` is no pair. `at` is where the frame begins in the text. */
function pairsIn({ before, query }: Frame, at = 0): Pair[] {
  const separator = isHtml(query) ? '&amp;' : '&'
  const pairs: Pair[] = []
  let start = 0
  while (start < query.length) {
    const next = query.indexOf(separator, start)
    const end = next < 0 ? query.length : next
    const raw = query.slice(start, end)
    if (raw.trim() !== '') pairs.push(readPair(raw, at + before.length + start))
    start = end + separator.length
  }
  return pairs
}

/** Of each name the last pair, which is the one that the API reads. */
export const effectivePairs = (text: string): Map<string, Pair> =>
  new Map(readPairs(text).map(pair => [pair.name, pair]))

function pairOfMember({ name, nameSpan, values, valueSpan }: ObjectText['members'][number]): Pair {
  const pair = writePair(name, values.join('|'))
  return { ...pair, start: nameSpan[0], spans: { name: nameSpan, value: valueSpan } }
}

/** White space around a name and a value does not belong to it. */
function readPair(raw: string, at: number): Pair {
  const equals = raw.indexOf('=')
  const namePart = equals < 0 ? raw : raw.slice(0, equals)
  const valuePart = equals < 0 ? null : raw.slice(equals + 1)
  const rawName = namePart.trim()
  const rawValue = valuePart?.trim() ?? null
  const start = at + namePart.length - namePart.trimStart().length
  const valueStart =
    valuePart === null ? start + rawName.length : at + equals + 1 + (valuePart.length - valuePart.trimStart().length)
  const name = decode(rawName)
  const value = decode(rawValue ?? '')
  const isMalformed = name.isMalformed || value.isMalformed
  const spans: Pair['spans'] = {
    name: [start, start + rawName.length],
    value: [valueStart, valueStart + (rawValue?.length ?? 0)],
  }
  return { name: name.text, value: value.text, rawName, rawValue, start, spans, isMalformed }
}

/** A pair that stands in no text yet. */
export function writePair(name: string, value: string): Pair {
  const [rawName, rawValue] = [encode(name), encode(value)]
  return { name, value, rawName, rawValue, start: 0, spans: { name: [0, 0], value: [0, 0] }, isMalformed: false }
}

export const textOf = ({ rawName, rawValue }: Pair): string => (rawValue === null ? rawName : `${rawName}=${rawValue}`)

/** Separates values that hold a `|`: a value that begins with it is joined with it (MediaWiki, "API:Data formats"). */
const unitSeparator = '\u001f'

const separators = { bar: /\||%7c/gi, unit: new RegExp(`${unitSeparator}|%1f`, 'gi') }

/** The values of a pair that takes several; none where it is empty. */
export function readParts(pair: Pair): Part[] {
  const { value, rawValue } = pair
  if (value === '' || rawValue === null) return []
  const isUnitSeparated = value.startsWith(unitSeparator)
  const parts: Part[] = []
  const { value: whole } = pair.spans
  const [offset] = whole
  const isAsWritten = whole[1] - whole[0] === rawValue.length
  let start = 0
  const add = (end: number) => {
    const span: Span = isAsWritten ? [offset + start, offset + end] : whole
    parts.push({ text: decode(rawValue.slice(start, end)).text, span })
  }
  // No escape of another character holds these, so that the text may be cut before it is decoded.
  for (const { index, 0: separator } of rawValue.matchAll(isUnitSeparated ? separators.unit : separators.bar)) {
    add(index)
    start = index + separator.length
  }
  add(rawValue.length)
  return isUnitSeparated ? parts.slice(1) : parts
}

/** Whether the value holds several, or says that it may. */
export const isSeveral = ({ value }: Pair): boolean => value.includes('|') || hasUnitSeparator(value)

export const hasUnitSeparator = (value: string): boolean => value.startsWith(unitSeparator)

/** Joins values as `like` does, or as `|` in one of them asks for. */
export function joinValues(values: readonly string[], like = ''): string {
  const isUnitSeparated = like.startsWith(unitSeparator) || values.some(value => value.includes('|'))
  return isUnitSeparated ? values.map(value => unitSeparator + value).join('') : values.join('|')
}

/** Whether its value is a secret: no other wire name holds the word. */
export const isSensitive = (name: string): boolean => /token/i.test(name)
