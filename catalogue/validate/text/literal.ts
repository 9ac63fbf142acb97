// A text as a program or a shell writes it, with quotes and escapes decoded.

/** Half-open, in UTF-16 units of the received text. */
export type Span = [start: number, end: number]

/** From the character `at` of a literal on, its characters come from `source` on. */
type Place = [at: number, source: number]

/** `open`: known to the program alone, in part or as a whole; `text` is then the expression. */
export type Literal = { text: string; places: Place[]; open?: 'part' | 'whole' }

/** A query of an address; or one of its names with its values. */
export type CodePart = { query: Literal } | { name: Literal; values: Literal[]; isNameEncoded?: true }

/** The content of a text, before the called address is known. `leftOut`: names of objects that the query includes, but the text lacks. */
export type Code = { addresses: Literal[]; parts: CodePart[]; leftOut?: string[] }

export const literalAt = (text: string, source: number): Literal => ({ text, places: [[0, source]] })

/** An expression of unknown value. */
export const expression = (text: string, source: number): Literal => ({ ...literalAt(text, source), open: 'whole' })

export function join(parts: readonly Literal[]): Literal {
  const whole: Literal = { text: '', places: [] }
  for (const { text, places, open } of parts) {
    for (const [at, source] of places) whole.places.push([whole.text.length + at, source])
    whole.text += text
    if (open) whole.open = 'part'
  }
  return whole
}

/** The place of a literal's part in the received text. */
export function spanIn({ places }: Literal, [start, end]: Span): Span {
  const sourceOf = (offset: number) => {
    const [at, source] = placeOf(places, offset)
    return source + offset - at
  }
  const first = sourceOf(start)
  return [first, start < end ? sourceOf(end - 1) + 1 : first]
}

export function slice({ places, ...literal }: Literal, start: number, end = literal.text.length): Literal {
  const [at, source] = placeOf(places, start)
  const inside = places.filter(([at]) => at > start && at < end).map(([at, source]): Place => [at - start, source])
  return { ...literal, text: literal.text.slice(start, end), places: [[0, source + start - at], ...inside] }
}

/** A literal inside another one's text. */
export function within(outer: Literal, { text, places, open }: Literal): Literal {
  const pieces = places.map(([at, source], nth) => {
    const end = places[nth + 1]?.[0] ?? text.length
    return { ...slice(outer, source, source + end - at), text: text.slice(at, end) }
  })
  return { ...join(pieces), ...(open && { open }) }
}

/** The last place at or before an offset. */
function placeOf(places: readonly Place[], offset: number): Place {
  let [low, high] = [0, places.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((places[middle]?.[0] ?? 0) <= offset) low = middle
    else high = middle
  }
  return places[low] ?? [0, 0]
}

const escapes = /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|(\r?\n)|(.))/gis

/** The letters of escapes (ECMA-262, 12.9.4; Python Language Reference, 2.5.1). */
const letters: Record<string, string> = { n: '\n', t: '\t', r: '\r' }

/** A text between quotes, with the escapes of most languages. */
export function readEscapes(raw: string, source: number): Literal {
  const parts: Literal[] = []
  let last = 0
  for (const { index, 0: whole, 1: point, 2: unit, 3: byte, 4: line, 5: sign = '' } of raw.matchAll(escapes)) {
    parts.push(literalAt(raw.slice(last, index), source + last))
    const code = Number.parseInt(point ?? unit ?? byte ?? '', 16)
    const text = line
      ? ''
      : Number.isNaN(code)
        ? (letters[sign] ?? sign)
        : code > 0x10ffff
          ? '\ufffd'
          : String.fromCodePoint(code)
    parts.push(literalAt(text, source + index))
    last = index + whole.length
  }
  parts.push(literalAt(raw.slice(last), source + last))
  return join(parts.filter(({ text }, at) => text !== '' || at === 0))
}
