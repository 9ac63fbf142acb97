// A query as text: its position in the received text, its pairs, and the values of a pair.
import { decode, encode } from './encoding.ts'

/** Half-open, in UTF-16 units of the text that was received. */
export type Span = [start: number, end: number]

/** `name=value`, as written and decoded. `start` is where it stands in the text. */
export type Pair = {
  name: string
  value: string
  rawName: string
  /** null where there is no `=`. */
  rawValue: string | null
  start: number
  isMalformed: boolean
}

/** One of several values, decoded. */
export type Part = { text: string; span: Span }

/** The text around the query: a URL before it, a fragment after it. */
type Frame = { before: string; query: string; after: string }

/** A URL with a scheme, or one that begins with `//`. */
const address = /^(?:[a-z][a-z\d+.-]*:)?\/\//i

/** Finds the query in a text that may be a whole URL. The three parts are the text. */
export function frame(text: string): Frame {
  const start = text.length - text.trimStart().length
  const hash = text.indexOf('#', start)
  const end = hash < 0 ? text.trimEnd().length : hash
  const mark = text.slice(start, end).indexOf('?')
  const head = mark < 0 ? text.slice(start, end) : text.slice(start, start + mark)
  const isAddress = address.test(head)
  if (mark < 0 && !isAddress) return cut(text, start, end)
  return cut(text, mark < 0 ? end : isAddress || !/[=&]/.test(head) ? start + mark + 1 : start, end)
}

function cut(text: string, start: number, end: number): Frame {
  const from = Math.min(start, end)
  return {
    before: text.slice(0, from),
    query: text.slice(from, Math.max(from, end)),
    after: text.slice(Math.max(from, end)),
  }
}

/** The pairs of a text, in order. Nothing between two `&` is no pair. */
export function readPairs(text: string): Pair[] {
  const { before, query } = frame(text)
  const pairs: Pair[] = []
  let start = 0
  while (start < query.length) {
    const next = query.indexOf('&', start)
    const end = next < 0 ? query.length : next
    if (end > start) pairs.push(readPair(query.slice(start, end), before.length + start))
    start = end + 1
  }
  return pairs
}

/** Of each name the last pair, which is the one that the API reads. */
export const effectivePairs = (text: string): Map<string, Pair> =>
  new Map(readPairs(text).map(pair => [pair.name, pair]))

function readPair(raw: string, start: number): Pair {
  const equals = raw.indexOf('=')
  const rawName = equals < 0 ? raw : raw.slice(0, equals)
  const rawValue = equals < 0 ? null : raw.slice(equals + 1)
  const name = decode(rawName)
  const value = decode(rawValue ?? '')
  const isMalformed = name.isMalformed || value.isMalformed
  return { name: name.text, value: value.text, rawName, rawValue, start, isMalformed }
}

/** A pair that stands in no text yet. */
export function writePair(name: string, value: string): Pair {
  const [rawName, rawValue] = [encode(name), encode(value)]
  return { name, value, rawName, rawValue, start: 0, isMalformed: false }
}

/** The pair under another name, its value byte for byte. */
export const renamePair = (pair: Pair, name: string): Pair => ({
  ...pair,
  name,
  rawName: encode(name),
  isMalformed: decode(pair.rawValue ?? '').isMalformed,
})

export const textOf = ({ rawName, rawValue }: Pair): string => (rawValue === null ? rawName : `${rawName}=${rawValue}`)

export const nameSpan = ({ start, rawName }: Pair): Span => [start, start + rawName.length]

/** Empty and at the pair's end where it has no value. */
export function valueSpan({ start, rawName, rawValue }: Pair): Span {
  const from = start + rawName.length + (rawValue === null ? 0 : 1)
  return [from, from + (rawValue ?? '').length]
}

/** Separates values that hold a `|`: a value that begins with it is joined with it (MediaWiki, "API:Data formats"). */
const unitSeparator = '\u001f'

const separators = { bar: /\||%7c/gi, unit: new RegExp(`${unitSeparator}|%1f`, 'gi') }

/** The values of a pair that takes several; none where it is empty. */
export function readParts(pair: Pair): Part[] {
  const { value, rawValue } = pair
  if (value === '' || rawValue === null) return []
  const isUnitSeparated = value.startsWith(unitSeparator)
  const parts: Part[] = []
  const [offset] = valueSpan(pair)
  let start = 0
  const add = (end: number) => {
    parts.push({ text: decode(rawValue.slice(start, end)).text, span: [offset + start, offset + end] })
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
export const isSeveral = ({ value }: Pair): boolean => value.includes('|') || value.startsWith(unitSeparator)

/** Joins values as `like` does, or as `|` in one of them asks for. */
export function joinValues(values: readonly string[], like = ''): string {
  const isUnitSeparated = like.startsWith(unitSeparator) || values.some(value => value.includes('|'))
  return isUnitSeparated ? values.map(value => unitSeparator + value).join('') : values.join('|')
}

/** Whether its value is a secret: no other wire name holds the word. */
export const isSensitive = (name: string): boolean => /token/i.test(name)
