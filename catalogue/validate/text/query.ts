// Texts that are or contain a query: an address, code, or an encoded whole.
import { type ReadCode, readCode } from './code.ts'
import { decode, encode } from './encoding.ts'
import { chooses, type Frame, frameOf, sandbox } from './frame.ts'
import { type CodePart, fillHoles, isOpen, type Literal, maskHoles, type Span, spanIn } from './literal.ts'
import { escapedMark, isHtml, type Pair, pairsIn, type Slip, textOf, writePair } from './pairs.ts'

/**
 * The beginning of a plain query or address: no sign of code before the first `?` or `=`, and none after that `=`. A
 * value may begin with a sign too, so other texts may still be plain.
 */
const plain =
  /^\s*(?:[a-z][a-z\d+.-]*:\/\/|[?&]|\/(?![*/])|[^\s"'`(){}[\]<>=?&:;,]*\?|[^\s"'`({<=?&]+=(?![\s"'`({[@$<]|(?:await|new|async)\s|[\w.$]+\())/i
const signs = /["'`({[<\n]|:\/\/|\s-\w|^\s*(?:GET|POST|HEAD)\s/i
/** A command, or a request's header, on a line below a possible query. */
const codeBelow = /\n[^\S\n]*(?:(?:[$%>!] )?(?:curl|wget|https?)\s|[\w-]+:\s)/

/** Whether a text may be something else than a query or its address. */
export const mayBeCode = (text: string): boolean => (signs.test(text) && !plain.test(text)) || codeBelow.test(text)

const codeIn = (text: string): ReturnType<typeof readCode> => (mayBeCode(text) ? readCode(text) : null)

/** Whether a text is code. */
export const isCode = (text: string): boolean => codeIn(text) !== null

/** The query in a text that may be a whole address; for code, in its plain text. The three parts make up the text. */
export const frame = (text: string): Frame => frameOf(codeIn(text) ? plainText(text) : text)

/** Characters: the maximum of an address in a GET. */
const longestUnfolded = 8000

/** The query, decoded if an encoding hides all its signs. */
function unfold(query: string): string {
  if (query.length > longestUnfolded) return query
  let text = query.trim()
  for (let depth = 0; depth < 3 && /^[^=&\s]*%(?:25)*3D[^=&\s]*$/i.test(text); depth++) text = decode(text).text
  return text !== query.trim() && chooses.test(text) ? text : query
}

/** The address or query of a text: the text itself, except for code, HTML and an encoded whole. */
export function plainText(given: string): string {
  const code = codeIn(given)
  if (code === 'unread') return ''
  if (code) {
    // Below a new line a value could be read as code.
    const query = queryOfCode(code).pairs.map(textOf).join('&').replaceAll('\n', '%0A')
    if (!code.address) return query
    const masked = frameOf(maskHoles(code.address))
    const [start0, end0] = [masked.before.length, code.address.text.length - masked.after.length]
    const before = writtenIn(code.address, [0, start0])
    const after = code.address.text.slice(end0)
    const start = before.replace(/#$/, '?')
    return `${start}${/[?#]$/.test(start) ? '' : '?'}${query}${after}`
  }
  const text = unfold(given)
  const { before, query, after } = frameOf(text)
  const isHash = before.endsWith('#') && !sandbox.test(before)
  const written = isHtml(query) ? query.replaceAll(escapedMark, '&') : unfold(query)
  return (isHash ? `${before.slice(0, -1)}?` : before) + written + after
}

/** The pairs of a text, in order; none of unreadable code. */
export const readPairs = (text: string): Pair[] => readQuery(text)?.pairs ?? []

/** A query, and the names of a program's objects that it includes but the text lacks. */
type Query = { pairs: Pair[]; leftOut: readonly string[]; isCode?: true }

/** @returns null if it calls something without a readable query */
export function readQuery(text: string): Query | null {
  const code = codeIn(text)
  if (code === 'unread') return null
  return code ? queryOfCode(code) : { pairs: plainPairs(text), leftOut: [] }
}

function plainPairs(text: string): Pair[] {
  const { before, query, after } = frameOf(text)
  const unfolded = unfold(text) === text ? unfold(query) : plainText(text)
  if (unfolded !== query) {
    const whole: Span = [before.length, before.length + query.length]
    const pairs = pairsIn(frameOf(unfolded)).map(pair => ({
      ...pair,
      start: whole[0],
      spans: { name: whole, value: whole },
    }))
    return withSlip(pairs, { kind: 'encoded' })
  }
  const pairs = pairsIn({ before, query, after })
  if (before.endsWith('#') && !sandbox.test(before)) return withSlip(pairs, { kind: 'hash' })
  const last = pairs.at(-1)
  if (!last || last.rawValue === null || !/^\s*\??$/.test(before) || !/^#[^&]*&[\w%[\]-]+=/.test(after)) return pairs
  const rest = pairsIn({ before: text.slice(0, last.start), query: text.slice(last.start), after: '' })
  return [...pairs.slice(0, -1), { ...last, slip: { kind: 'cut', rest } }]
}

const withSlip = ([first, ...others]: readonly Pair[], slip: Slip): Pair[] =>
  first ? [{ ...first, slip }, ...others] : []

/** The pairs of its address and of its data, each once. */
function queryOfCode({ address, parts, leftOut }: ReadCode): Query {
  const written = new Set<string>()
  const read = [...(address ? [{ values: [address] }] : []), ...parts].map(pairsOfPart)
  const pairs = read
    .flatMap(({ pairs }) => pairs)
    .filter(pair => {
      const text = textOf(pair)
      return !written.has(text) && written.add(text)
    })
  // Of `'?' + encode({ list: 'tags' })` the object is read.
  const isShown = ({ span: [start, end] }: Hole) => pairs.some(pair => start <= pair.start && pair.start < end)
  const holes = read.flatMap(({ leftOut }) => leftOut).filter(hole => !isShown(hole))
  return { pairs, leftOut: [...new Set([...leftOut, ...holes.map(({ text }) => text)])], isCode: true }
}

/** A literal's part as a query has it: what only the program knows is encoded where its signs would separate. */
const writtenIn = (literal: Literal, span: Span): string =>
  fillHoles(literal, hole => (/[&=#+%?;,|\s]/.test(hole) ? encode(hole.toWellFormed()) : hole), span)

/** What stands for pairs that only the program knows. */
type Hole = { text: string; span: Span }

/** The pairs of an address or a query; those without a known name are left out. */
function pairsOfLiteral(literal: Literal): { pairs: Pair[]; leftOut: Hole[] } {
  const leftOut: Hole[] = []
  const { before, query } = frameOf(maskHoles(literal))
  if (!query.includes('=') && !isOpen(literal)) return { pairs: [], leftOut }
  const pairs = pairsIn({ before, query, after: '' }).flatMap((pair): Pair[] => {
    const { name, value } = pair.spans
    const [rawName, rawValue] = [writtenIn(literal, name), pair.rawValue === null ? null : writtenIn(literal, value)]
    const spans = { name: spanIn(literal, name), value: spanIn(literal, value) }
    const placed = { ...pair, start: spans.name[0], spans }
    if (isOpen(literal, name)) {
      leftOut.push({ text: decode(rawName).text, span: spans.name })
      return []
    }
    if (!isOpen(literal, value)) return [placed]
    return [{ ...placed, rawName, rawValue, value: decode(rawValue ?? '').text, isOpen: true, isMalformed: false }]
  })
  return { pairs, leftOut }
}

function pairsOfPart({ name, values, isNameEncoded }: CodePart): { pairs: Pair[]; leftOut: Hole[] } {
  const [first, last] = [values[0], values.at(-1)]
  if (!name) return first ? pairsOfLiteral(first) : { pairs: [], leftOut: [] }
  const [start, end] = spanIn(name)
  const spans: Pair['spans'] = {
    name: [start, end],
    value: first && last ? [spanIn(first)[0], spanIn(last)[1]] : [end, end],
  }
  const value = values.map(({ text }) => text).join('|')
  const written = writePair(isNameEncoded ? decode(name.text).text : name.text, value.toWellFormed())
  const isUnknown = values.some(value => isOpen(value))
  return { pairs: [{ ...written, start, spans, ...(isUnknown && { isOpen: true as const }) }], leftOut: [] }
}

/** The last pair of each name, which is the one that the API reads. */
export const effectivePairs = (text: string): Map<string, Pair> =>
  new Map(readPairs(text).map(pair => [pair.name, pair]))
