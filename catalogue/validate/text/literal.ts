// A text as a program or a shell writes it, with quotes and escapes decoded.

/** Half-open, in UTF-16 units of the received text. */
export type Span = [start: number, end: number]

/** From the character `at` of a literal on, its characters come from `source` on. */
type Place = [at: number, source: number]

/** `holes`: its parts that only the program knows, as they are written there. */
export type Literal = { text: string; places: Place[]; holes?: Span[] }

/** A query of an address; or one of its names with its values. */
export type CodePart = { query: Literal } | { name: Literal; values: Literal[]; isNameEncoded?: true }

/** The content of a text, before the called address is known. `leftOut`: names of objects that the query includes, but the text lacks. */
export type Code = { addresses: Literal[]; parts: CodePart[]; leftOut?: string[] }

export const literalAt = (text: string, source: number): Literal => ({ text, places: [[0, source]] })

/** An expression of unknown value. */
export const expression = (text: string, source: number): Literal => ({
  ...literalAt(text, source),
  holes: [[0, text.length]],
})

export function join(parts: readonly Literal[]): Literal {
  const places: Place[] = []
  const holes: Span[] = []
  const texts: string[] = []
  let length = 0
  for (const part of parts) {
    for (const [at, source] of part.places) places.push([length + at, source])
    for (const [start, end] of part.holes ?? []) holes.push([length + start, length + end])
    texts.push(part.text)
    length += part.text.length
  }
  return { text: texts.join(''), places, ...(holes.length > 0 && { holes }) }
}

/** The place of a literal's part in the received text. */
export function spanIn({ places }: Literal, [start, end]: Span): Span {
  const sourceOf = (offset: number) => {
    const [at, source] = places[placeAt(places, offset)] ?? [0, 0]
    return source + offset - at
  }
  const first = sourceOf(start)
  return [first, start < end ? sourceOf(end - 1) + 1 : first]
}

export function slice(literal: Literal, start: number, end = literal.text.length): Literal {
  const { text, places } = literal
  const first = placeAt(places, start)
  const [at, source] = places[first] ?? [0, 0]
  const inside: Place[] = [[0, source + start - at]]
  for (let next = first + 1; next < places.length && (places[next]?.[0] ?? end) < end; next++) {
    const [at, source] = places[next] ?? [0, 0]
    inside.push([at - start, source])
  }
  const holes = holesIn(literal, [start, end]).map(([from, to]): Span => [from - start, to - start])
  return { text: text.slice(start, end), places: inside, ...(holes.length > 0 && { holes }) }
}

/** A literal inside another one's text. */
export function within(outer: Literal, { text, places, holes }: Literal): Literal {
  const pieces = places.map(([at, source], nth) => {
    const end = places[nth + 1]?.[0] ?? text.length
    return { text: text.slice(at, end), places: slice(outer, source, source + end - at).places }
  })
  return { ...join(pieces), ...(holes && { holes }) }
}

/** The holes in a part. */
export function holesIn({ holes = [] }: Literal, [start, end]: Span): Span[] {
  const found: Span[] = []
  for (let at = placeAt(holes, start); at < holes.length && (holes[at]?.[0] ?? end) < end; at++) {
    const [from = 0, to = 0] = holes[at] ?? []
    if (to > start) found.push([Math.max(from, start), Math.min(to, end)])
  }
  return found
}

/** A part of the text, with each hole written anew. */
export function fillHoles(
  literal: Literal,
  write: (hole: string) => string,
  [start, end]: Span = [0, literal.text.length],
): string {
  let at = start
  let filled = ''
  for (const [from, to] of holesIn(literal, [start, end])) {
    filled += literal.text.slice(at, from) + write(literal.text.slice(from, to))
    at = to
  }
  return filled + literal.text.slice(at, end)
}

/** The text, with each hole as a word of the same length: its signs separate nothing. */
export const maskHoles = (literal: Literal): string => fillHoles(literal, hole => 'x'.repeat(hole.length))

/** The index of the last place at or before an offset. */
function placeAt(places: readonly (readonly [at: number, source: number])[], offset: number): number {
  let [low, high] = [0, places.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((places[middle]?.[0] ?? 0) <= offset) low = middle
    else high = middle
  }
  return low
}
