import { randomUUID } from 'node:crypto'
import conditions from 'dynalite/db/conditionParser.js'
import updates, { type Context, type Parser } from 'dynalite/db/updateParser.js'

/** No attribute's name begins with this. */
const mark = randomUUID()

/** More than this repository has kinds of expressions. */
const limit = 1000

/**
 * Has dynalite parse each kind of expression once: the same text, with other values and names. By itself it parses at
 * each call, and parentheses several times, which takes half of a write.
 */
export function keepParsed(): void {
  for (const parser of [conditions, updates]) keep(parser)
}

function keep(parser: Parser): void {
  const { parse } = parser
  const known = new Map<string, Template>()
  parser.parse = (text, { context }) => {
    const { unusedAttrNames, unusedAttrVals } = context
    const names = context.attrNames ?? {}
    const values = context.attrVals ?? {}
    // A name's value matters where it may equal another: paths must not overlap.
    const all = Object.values(names)
    const given = Object.entries(names).map(([name, attribute]) => [
      name,
      text.includes(attribute) || all.filter(other => other === attribute).length > 1 ? attribute : null,
    ])
    const types = Object.entries(values).map(([name, value]) => [name, ...Object.keys(value)])
    const key = JSON.stringify([text, given, types])
    const template = known.get(key)
    if (template) {
      for (const name of template.names) delete unusedAttrNames[name]
      for (const name of template.values) delete unusedAttrVals[name]
      return template.fill(names, values)
    }
    const parsed = parse(text, { context })
    // An error, or one of the two that compare values.
    if (typeof parsed === 'string' || /attribute_type|between/i.test(text)) return parsed
    if (known.size === limit) known.clear()
    known.set(key, templateOf(Object.fromEntries(given)))
    return parsed

    function templateOf(given: Record<string, string | null>): Template {
      const attrNames = Object.fromEntries(Object.entries(given).map(([name, own]) => [name, own ?? `${mark}${name}`]))
      const attrVals = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { ...value }]))
      const unused = { unusedAttrNames: { ...attrNames }, unusedAttrVals: { ...attrVals } }
      const parsed = parse(text, { context: { ...context, attrNames, attrVals, ...unused } })
      const places = new Map<unknown, string>(Object.entries(attrVals).map(([name, value]) => [value, name]))
      return {
        names: Object.keys(attrNames).filter(name => !(name in unused.unusedAttrNames)),
        values: Object.keys(attrVals).filter(name => !(name in unused.unusedAttrVals)),
        fill: (names, values) => fill(parsed, names, values, places),
      }
    }
  }
}

interface Template {
  /** The names in the expression. */
  names: string[]
  values: string[]
  fill(names: Names, values: Values): unknown
}
type Names = NonNullable<Context['attrNames']>
type Values = NonNullable<Context['attrVals']>

/** A copy, because an update changes the parsed expression. */
function fill(node: unknown, names: Names, values: Values, places: ReadonlyMap<unknown, string>): unknown {
  const named = (text: string) => (text.startsWith(mark) ? names[text.slice(mark.length)] : text) as string
  const fill = (node: unknown): unknown => {
    if (typeof node === 'string') return named(node)
    if (typeof node !== 'object' || node === null) return node
    const place = places.get(node)
    if (place !== undefined) return values[place]
    if (Array.isArray(node)) return node.map(fill)
    const copy = Object.create(Object.getPrototypeOf(node))
    for (const [name, member] of Object.entries(node)) copy[named(name)] = fill(member)
    return copy
  }
  return fill(node)
}
