/**
 * Reads the source of a file of words without running it. Strangers send translations, and a file of words runs wherever
 * pages are built: so it holds literals alone.
 */

/** Texts by name, such as `pages.home.title`; null: the file borrows the English one, as `en.pages.home.title`. */
type Source = ReadonlyMap<string, string | null>

/** What a file begins and ends with. */
const frame =
  /^(?:import (?:\{ en \} from\s'\.\/en\.ts'|type \{ Words \} from\s'\.\/words\.ts')\n|\/\*(?:(?!\*\/).)*\*\/\n|\n)*export const [A-Za-z]\w* = (?<words>\{.*\}) (?:satisfies Words|as const)\n$/s

const token =
  /(?<blank>[ \n]+|\/\/[^\n]*|\/\*(?:(?!\*\/).)*\*\/)|(?<text>'(?:[^'\\\n]|\\['"\\]|\\u[\dA-Fa-f]{4})*'|"(?:[^"\\\n]|\\['"\\]|\\u[\dA-Fa-f]{4})*")|(?<borrowed>en(?:\.\w+|\['[\w -]+'\])+)|(?<name>[A-Za-z]\w*)(?=:)|(?<mark>[{}:,]|null\b)/gsy

/** What editors do not show, or show at another place: other ends of lines, U+00AD, directions. A text has it as `\u00ad`. */
const unseen = /[^\P{Cc}\n]|[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u

/** @throws {Error} which says what is wrong, and where */
export function readWords(source: string): Source {
  const lineOf = (index: number): string => `line ${source.slice(0, index).split('\n').length}`
  const hidden = unseen.exec(source)
  if (hidden) throw new Error(`${lineOf(hidden.index)}: an invisible character, which is to be written as \\u00ad`)
  const { words } = frame.exec(source)?.groups ?? {}
  if (words === undefined) throw new Error('more than the imports of en and Words, and one object that satisfies Words')

  const start = source.indexOf(words)
  const tokens = [...words.matchAll(token)]
  const end = tokens.reduce((sum, [{ length }]) => sum + length, 0)
  if (end < words.length) throw new Error(`${lineOf(start + end)}: neither a string nor en.<text>`)
  const texts = new Map<string, string | null>()
  collect(JSON.parse(asJson(tokens)), [], texts)
  return texts
}

/** The same object in JSON, with a borrowed text as an array of its names. */
function asJson(tokens: readonly RegExpExecArray[]): string {
  const pieces = tokens.flatMap(({ groups: { text, borrowed, name, mark } = {} }) => {
    if (text !== undefined) return [JSON.stringify(unescaped(text.slice(1, -1)))]
    if (borrowed !== undefined)
      return [JSON.stringify([...borrowed.matchAll(/\.(\w+)|'(.*?)'/g)].map(([, a, b]) => a ?? b))]
    return [name === undefined ? mark : JSON.stringify(name)]
  })
  const meaningful = pieces.filter(piece => piece !== undefined)
  return meaningful.filter((piece, i) => piece !== ',' || meaningful[i + 1] !== '}').join('')
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:u(.{4})|(.))/g, (_, hex: string | undefined, character: string) =>
    hex === undefined ? character : String.fromCharCode(Number.parseInt(hex, 16)),
  )

function collect(value: unknown, path: readonly string[], texts: Map<string, string | null>): void {
  const name = path.join('.')
  if (typeof value === 'string') texts.set(name, value)
  else if (Array.isArray(value)) {
    if (value.join('.') !== name) throw new Error(`${name} borrows another text, en.${value.join('.')}`)
    texts.set(name, null)
  } else if (value !== null) {
    for (const [key, each] of Object.entries(value as object)) collect(each, [...path, key], texts)
  } else if (name !== 'read') throw new Error(`${name} is null`)
}
