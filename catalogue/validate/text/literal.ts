// A text as a program or a shell writes it, with quotes and escapes decoded.

/** Half-open, in UTF-16 units of the received text. */
export type Span = [start: number, end: number]

/**
 * By character: `places` has where it is written, and then where the text ends; `marks` an `x` for what only the program
 * knows, as it is written there.
 */
export type Literal = { text: string; places: number[]; marks: string }

/** One of a query's names with its values; or without a name the text of a query. */
export type CodePart = { name?: Literal; values: Literal[]; isNameEncoded?: true }

/** The content of a text, before the called address is known. `leftOut`: names of objects that the query includes, but the text lacks. */
export type Code = { addresses: Literal[]; parts: CodePart[]; leftOut?: string[] }

export function literalAt(text: string, source: number, mark = '-'): Literal {
  const places: number[] = []
  while (places.length <= text.length) places.push(source + places.length)
  return { text, places, marks: mark.repeat(text.length) }
}

/** What a sticky pattern finds at a place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** An expression of unknown value. */
export const expression = (text: string, source: number): Literal => literalAt(text, source, 'x')

export const join = (parts: readonly Literal[]): Literal => ({
  text: parts.map(({ text }) => text).join(''),
  places: parts.flatMap(({ places }, nth) => (nth < parts.length - 1 ? places.slice(0, -1) : places)),
  marks: parts.map(({ marks }) => marks).join(''),
})

/** The place of a literal's part in the received text. */
export function spanIn({ text, places }: Literal, [start, end]: Span = [0, text.length]): Span {
  const first = places[start] ?? 0
  return [first, start < end ? (places[end - 1] ?? 0) + 1 : first]
}

export const slice = ({ text, places, marks }: Literal, start: number, end = text.length): Literal => ({
  text: text.slice(start, end),
  places: places.slice(start, end + 1),
  marks: marks.slice(start, end),
})

/** A literal inside another one's text. */
export const within = (outer: Literal, inner: Literal): Literal => ({
  ...inner,
  places: inner.places.map(place => outer.places[place] ?? 0),
})

/** Whether the program has a say in a part. */
export const isOpen = ({ marks }: Literal, span: Span = [0, marks.length]): boolean =>
  marks.slice(...span).includes('x')

/** A part of the text, with what only the program knows written anew. */
export function fillHoles(
  { text, marks }: Literal,
  write: (hole: string) => string,
  [start, end]: Span = [0, text.length],
): string {
  let at = start
  let filled = ''
  for (const { index, 0: hole } of marks.slice(start, end).matchAll(/x+/g)) {
    const from = start + index
    filled += text.slice(at, from) + write(text.slice(from, from + hole.length))
    at = from + hole.length
  }
  return filled + text.slice(at, end)
}

/** The text, with each hole as a word of the same length: its signs separate nothing. */
export const maskHoles = (literal: Literal): string => fillHoles(literal, hole => 'x'.repeat(hole.length))
