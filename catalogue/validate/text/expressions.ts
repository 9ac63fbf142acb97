// Expressions of a program: the name of a value, and its possible values.
import { expression, join, type Literal, literalAt } from './literal.ts'
import { isSign, type Node, textOf } from './tokens.ts'

const separators = new Set([':', '=', '=>', ':=', '->', 'to'])

type Key = { name: Literal; node: Node; length: number }

/** The name in an entry, as in `list: …`, or null. */
export function keyOf(entry: readonly Node[]): Key | null {
  const start =
    entry[0]?.kind === 'word' && /^(?:const|let|var|my|our|local|val|auto|final)$/.test(textOf(entry[0])) ? 1 : 0
  const [node, separator] = entry.slice(start)
  const isNamed =
    separator && separator.kind !== 'group' && separators.has(textOf(separator)) && entry.length > start + 2
  if (!node || !isNamed) return null
  const [inBrackets, ...more] = node.kind === 'group' && node.open === '[' ? (node.values ?? []) : []
  const name = node.kind === 'group' ? (more.length === 0 ? inBrackets : undefined) : node.literal
  return name && node.kind !== 'sign' ? { name, node, length: start + 2 } : null
}

const constants: Record<string, string[]> = { true: ['1'], false: [], null: [], none: [], nil: [], undefined: [] }

/** The values of an expression: several for a list, none for an absence. @returns null for an object */
export function valuesOf(nodes: readonly Node[], text: string): Literal[] | null {
  const [first, second] = nodes
  const last = nodes.at(-1)
  if (!first || !last) return null
  if (
    nodes.some(
      node => node.kind === 'group' && (node.members.length > 0 || (node.pair && node.open === '{' && !node.values)),
    )
  )
    return null
  if (nodes.every(node => node.kind === 'text' || /^(?:[+.@&\n]|\.\.)$/.test(textOf(node))))
    return [join(nodes.flatMap(literalOf))]
  if (!second && first.kind === 'word') {
    const constant = constants[textOf(first).toLowerCase()]
    if (constant) return constant.map(value => literalAt(value, first.start))
    if (/^\d/.test(textOf(first))) return [first.literal]
  }
  const number = text.slice(first.start, last.end)
  if (/^-?\d+(?:\.\d+)?$/.test(number)) return [literalAt(number, first.start)]
  const lists = nodes.filter(node => node.kind === 'group')
  const isJoined = nodes.some(node => /^(?:join|implode)$/.test(textOf(node)))
  if (isJoined) {
    const joined = (lists.find(({ values }) => (values?.length ?? 0) > 1) ?? lists.at(-1))?.values?.filter(
      isNoSeparator,
    )
    return joined?.length ? joined : [expression(number, first.start)]
  }
  // ['a'], array('a'), encodeURIComponent('a'), []string{"a"}, but not a.b('c').
  const isPlain = nodes
    .slice(0, -1)
    .every(
      node =>
        node.kind === 'word' || (node.kind === 'group' && node.nodes.length === 0) || /^[&@:\\%*]$/.test(textOf(node)),
    )
  if (last.kind === 'group' && isPlain && last.values) return last.values
  if (first.kind === 'text' && isSign(second, '.')) return [first.literal]
  return [expression(number, first.start)]
}

const isNoSeparator = ({ text }: Literal): boolean => text !== '|'
const literalOf = (node: Node): Literal[] => (node.kind === 'text' ? [node.literal] : [])
