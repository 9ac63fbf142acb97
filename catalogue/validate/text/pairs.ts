// The pairs of a query, and the values of a pair.
import { decode, encode } from './encoding.ts'
import { chooses, type Frame } from './frame.ts'
import type { Span } from './literal.ts'

/** `name=value`, as written and decoded. `start` is its place in the text. */
export type Pair = {
  name: string
  value: string
  rawName: string
  /** Null without `=`. */
  rawValue: string | null
  start: number
  spans: { name: Span; value: Span }
  isMalformed: boolean
  /** Its value is an expression of the surrounding program. */
  isOpen?: true
  slip?: Slip
}

/**
 * A mistake in the text around a pair. `encoded`: the query was encoded once more. `hash`: it is the fragment of an
 * address. `joined`: something else than `&` follows it and maybe others. `cut`: a fragment begins in its value; `rest`
 * is the whole value, and the pairs after it.
 */
export type Slip = { kind: 'encoded' | 'hash' | 'joined' } | { kind: 'cut'; rest: Pair[] }

/** One of several values, decoded. */
export type Part = { text: string; span: Span }

/** `&` in HTML. */
export const escapedMark = /&(?:amp|#38|#x26);/gi

/** The same before a name, where others are written plainly. */
const mixedMark = /&(?:(?:amp|#38|#x26);(?=\w+=))?/gi

/** Whether each `&` is written in HTML. */
export const isHtml = (query: string): boolean => /&[#a]/i.test(query) && !/&(?!amp;|#38;|#x26;)/i.test(query)

/** A name and `=` at a word's beginning. */
const named = /(?<![\w%.[\]-])[a-z]\w*=/gi

/** The beginnings of pairs after `;`, `,`, `?` or a line break, or after a space if they choose modules. */
function* joinedIn(raw: string): Generator<{ start: number; end: number; isLine: boolean }> {
  for (const { index: end, 0: name } of raw.matchAll(named)) {
    let start = end
    while (/\s/.test(raw[start - 1] ?? '')) start--
    const isLine = raw.slice(start, end).includes('\n')
    const isMark = /[;,?]/.test(raw[start - 1] ?? '')
    if (isMark || isLine || (start < end && chooses.test(name)))
      yield { start: isMark ? start - 1 : start, end, isLine }
  }
}

/** An empty text between two `&` is no pair. */
export function pairsIn({ before, query }: Frame): Pair[] {
  const isAllHtml = isHtml(query)
  const separator = isAllHtml ? escapedMark : mixedMark
  const pairs: Pair[] = []
  let joined: number | undefined
  const add = (start: number, end: number) => {
    const raw = query.slice(start, end)
    if (raw.trim() === '') return
    const marks = /[;,?\s]/.test(raw) && raw.includes('=', raw.indexOf('=') + 1) ? joinedIn(raw) : []
    // Free text may contain such a mark, but hardly beside a name that chooses modules; and no value contains a line break.
    const isJoined = chooses.test(raw.trimStart())
    let at = 0
    for (const { start: last, end: next, isLine } of marks) {
      if (last === 0 || !(isJoined || isLine)) continue
      pairs.push(readPair(raw.slice(at, last), before.length + start + at))
      joined ??= pairs.length - 1
      at = next
    }
    pairs.push(readPair(raw.slice(at), before.length + start + at))
  }
  let start = 0
  for (const { index, 0: mark } of query.matchAll(separator)) {
    add(start, index)
    if (mark.length > 1 && !isAllHtml) joined ??= Math.max(0, pairs.length - 1)
    start = index + mark.length
  }
  add(start, query.length)
  return joined === undefined
    ? pairs
    : pairs.map((pair, at) => (at === joined ? { ...pair, slip: { kind: 'joined' } } : pair))
}

/** White space around names and values is dropped. */
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

/** A pair without a place in a text. */
export function writePair(name: string, value: string): Pair {
  const [rawName, rawValue] = [encode(name), encode(value)]
  return { name, value, rawName, rawValue, start: 0, spans: { name: [0, 0], value: [0, 0] }, isMalformed: false }
}

export const textOf = ({ rawName, rawValue }: Pair): string => (rawValue === null ? rawName : `${rawName}=${rawValue}`)

/** Separates values that contain a `|`: a value that begins with it is joined with it (MediaWiki, "API:Data formats"). */
const unitSeparator = '\u001f'

/** The values of a multi-valued pair; empty for an empty one. */
export function readParts(pair: Pair): Part[] {
  const { value, rawValue } = pair
  if (value === '' || rawValue === null) return []
  const isUnitSeparated = value.startsWith(unitSeparator)
  const separator = isUnitSeparated ? new RegExp(`${unitSeparator}|%1f`, 'gi') : /\||%7c/gi
  const parts: Part[] = []
  const { value: whole } = pair.spans
  const [offset] = whole
  const isAsWritten = whole[1] - whole[0] === rawValue.length
  let start = 0
  const add = (end: number) => {
    const span: Span = isAsWritten ? [offset + start, offset + end] : whole
    parts.push({ text: decode(rawValue.slice(start, end)).text, span })
  }
  // No other escape contains these, so the text may be split before decoding.
  for (const { index, 0: mark } of rawValue.matchAll(separator)) {
    add(index)
    start = index + mark.length
  }
  add(rawValue.length)
  return isUnitSeparated ? parts.slice(1) : parts
}

/** Whether the value has several, or the separator for them. */
export const isSeveral = ({ value }: Pair): boolean => value.includes('|') || hasUnitSeparator(value)

export const hasUnitSeparator = (value: string): boolean => value.startsWith(unitSeparator)

/** Joins values as in `like`, or as a `|` in one of them requires. */
export function joinValues(values: readonly string[], like = ''): string {
  const isUnitSeparated = like.startsWith(unitSeparator) || values.some(value => value.includes('|'))
  return isUnitSeparated ? values.map(value => unitSeparator + value).join('') : values.join('|')
}

/** Whether its value is a secret: no other wire name contains the word. */
export const isSensitive = (name: string): boolean => /token/i.test(name)

/** The texts between other separators than `|`. */
export const splitOtherwise = (text: string): string[] => text.split(/[,;\s]+/).filter(Boolean)
