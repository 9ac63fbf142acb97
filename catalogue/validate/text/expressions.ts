// Expressions of a program: the name of a value, and its possible values.
import { expression, join, type Literal, literalAt } from './literal.ts'
import { type Group, isSign, type Node, textOf } from './tokens.ts'

const separators = new Set([':', '=', '=>', ':=', '->', 'to'])

type Key = { name: Literal; node: Node; length: number }

/** The name in an entry, as in `list: …`, or null. */
export function keyOf(entry: readonly Node[]): Key | null {
  const declared = /^(?:const|let|var|my|our|local|val|auto|final)$/.test(textOf(entry[0])) ? 1 : 0
  // my %query = list => …
  const start = isSign(entry[declared + 4], '=>') && isSign(entry[declared + 2], '=') ? declared + 3 : declared
  const [node, separator] = entry.slice(start)
  const isNamed =
    separator && separator.kind !== 'group' && separators.has(textOf(separator)) && entry.length > start + 2
  if (!node || !isNamed) return null
  const [inBrackets, ...more] = node.kind === 'group' && node.open === '[' ? (node.values ?? []) : []
  const name = node.kind === 'group' ? (more.length === 0 ? inBrackets : undefined) : node.literal
  return name && node.kind !== 'sign' ? { name, node, length: start + 2 } : null
}

const constants: Record<string, string[]> = { true: ['1'], false: [], null: [], none: [], nil: [], undefined: [] }

/** Calls that give their argument, or the list of their arguments. */
const wrapping =
  /^(?:(?:raw)?url_?(?:en)?code\w*|encode\w*|quote(?:_plus)?|escape\w*|str(?:ing)?|array|list|c|vec!?|of|from|as_?list|(?:list|set|array)_?of|tuple|set|text)$/i
export const joining = /^(?:join\w*|implode)$/i

/** The values of an expression: several for a list, none for an absence. @returns null for an object */
export function valuesOf(given: readonly Node[], text: string): Literal[] | null {
  const nodes = given.filter(({ kind }) => kind !== 'line')
  const [first, second, third] = nodes
  const last = nodes.at(-1)
  if (!first || !last) return null
  if (nodes.some((node, at) => node.kind === 'group' && isObject(node, nodes[at - 1]))) return null
  const isText = (node: Node, at: number) =>
    at % 2 === 0 || node.kind === 'text'
      ? node.kind === 'text'
      : /^(?:[+.@&~^]|\.\.|\+\+|<>|\|\||&&)$/.test(textOf(node))
  if (nodes.every(isText) || nodes.every(node => node.kind === 'text' || isSign(node, '@')))
    return [join(nodes.flatMap(literalOf))]
  if (!second && first.kind === 'word') {
    const constant = constants[textOf(first).toLowerCase()]
    if (constant) return constant.map(value => literalAt(value, first.start))
    if (/^\d/.test(textOf(first))) return [first.literal]
  }
  const written = text.slice(first.start, last.end)
  if (/^-?\d+(?:\.\d+)?$/.test(written)) return [literalAt(written, first.start)]
  const unknown = [expression(written, first.start)]
  const lists = nodes.filter(node => node.kind === 'group')
  if (nodes.some(node => joining.test(textOf(node)))) {
    const list = lists.find(({ values }) => (values?.length ?? 0) > 1) ?? lists.at(-1)
    const isWhole = lists.every(({ values }) => values)
    const joined = isWhole ? list?.values?.filter(({ text }) => text !== '|' && text !== '') : undefined
    return joined?.length ? joined : unknown
  }
  // ['a'], array('a'), []string{"a"}, but not a['b'] or a('b').
  const callee = nodes.at(-2)
  const isCalled = last.kind === 'group' && last.open !== '{' && callee?.kind === 'word' && callee.end === last.start
  const isPlain = nodes
    .slice(0, -1)
    .every(
      node =>
        node.kind === 'word' ||
        (node.kind === 'group' && node.nodes.length === 0) ||
        /^(?:[&@:\\%*.]|::)$/.test(textOf(node)),
    )
  const isGiven = !isCalled || (last.open === '(' && wrapping.test(textOf(callee)))
  if (last.kind === 'group' && isPlain && isGiven && last.values) return last.values
  // 'a'.strip(), but not 'a' . $b
  const isMethod =
    first.kind === 'text' && isSign(second, '.') && first.end + 1 === third?.start && third.kind === 'word'
  return isMethod && !/^(?:\$|concat|plus)/.test(textOf(third)) ? [first.literal] : unknown
}

/** An object, and not the arguments of a call. */
function isObject({ open, members, pair, values }: Group, before: Node | undefined): boolean {
  if (members.length === 0) return pair !== null && open === '{' && !values
  return (
    open !== '(' ||
    before?.kind !== 'word' ||
    members.some(({ name }) => choosing.test(name.text)) ||
    /^(?:dict|array|new|list|map\w*)$/i.test(textOf(before))
  )
}

/** The names that choose modules: text with one of them is a query. */
export const choosing = /^(?:action|list|prop|meta|generator)$/i

const literalOf = (node: Node): Literal[] => (node.kind === 'text' ? [node.literal] : [])
