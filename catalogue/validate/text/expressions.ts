// Expressions of a program: the name of a value, and its possible values.
import { expression, join, type Literal, literalAt } from './literal.ts'
import { isSign, type Node, operator, textOf } from './tokens.ts'

/** `node`: its name as it is written; `length`: the nodes before its value. */
type Key = { name: Literal; node: Node; length: number }

/** The name in an entry, as in `list: …`, or null. */
export function keyOf(entry: readonly Node[]): Key | null {
  const declared = /^(?:const|let|var|my|our|local|val|auto|final)$/.test(textOf(entry[0])) ? 1 : 0
  // my %query = list => …
  const start = isSign(entry[declared + 4], '=>') && isSign(entry[declared + 2], '=') ? declared + 3 : declared
  const [node, separator, value] = entry.slice(start)
  if (!node || !value || node.kind === 'sign' || !/^(?:[:=]|[=-]>|:=|to)$/.test(textOf(separator))) return null
  const [name, ...more] = node.kind !== 'group' ? [node] : node.open === '[' ? (node.values ?? []) : []
  return name && more.length === 0 ? { name, node, length: start + 2 } : null
}

/** Calls that give their argument, or the list of their arguments. */
const wrapping =
  /^(?:\w*(?:encode|escape)\w*|quote(?:_plus)?|str(?:ing)?|array|list|c|vec!?|of|from|as_?list|(?:list|set|array)_?of|tuple|set|text)$/i
export const joining = /^(?:join\w*|implode)$/i

/** The values of an expression: several for a list, none for an absence. @returns null for an object */
export function valuesOf(given: readonly Node[], text: string): Literal[] | null {
  const nodes = given.filter(({ kind }) => kind !== 'line')
  const [first, second, third] = nodes
  const last = nodes.at(-1)
  if (!first || !last || nodes.some((node, at) => isObject(node, nodes[at - 1]))) return null
  const texts = nodes.filter(({ kind }) => kind === 'text')
  if (nodes.every(({ kind, text }, at) => kind === 'text' || (at % 2 > 0 && (text === '.' || operator.test(text)))))
    return [join(texts)]
  const written = text.slice(first.start, last.end)
  if (/^(?:false|null|none|nil|undefined)$/i.test(written)) return []
  if (/^true$/i.test(written)) return [literalAt('1', first.start)]
  if (/^(?:\d\w*|-?\d+(?:\.\d+)?)$/.test(written)) return [literalAt(written, first.start)]
  const unknown = [expression(written, first.start)]
  const lists = nodes.filter(({ kind }) => kind === 'group')
  if (nodes.some(node => joining.test(node.text))) {
    const list = lists.find(({ values }) => (values?.length ?? 0) > 1) ?? lists.at(-1)
    const joined = list?.values?.filter(({ text }) => text !== '|' && text !== '')
    return joined?.length && lists.every(({ values }) => values) ? joined : unknown
  }
  // ['a'], array('a'), []string{"a"}, but not a['b'] or a('b').
  const callee = nodes.at(-2)
  const isCalled = last.open !== '{' && callee?.kind === 'word' && callee.end === last.start
  const isPlain = nodes
    .slice(0, -1)
    .every(({ kind, text, nodes }) =>
      kind === 'group' ? nodes.length === 0 : kind === 'word' || /^(?:[&@:\\%*.]|::)$/.test(text),
    )
  if (isPlain && last.values && (!isCalled || (last.open === '(' && wrapping.test(callee.text)))) return last.values
  // 'a'.strip(), but not 'a' . $b
  const isMethod =
    first.kind === 'text' && isSign(second, '.') && first.end + 1 === third?.start && third.kind === 'word'
  return isMethod && !/^(?:\$|concat|plus)/.test(third.text) ? [first] : unknown
}

/** An object, and not the arguments of a call. */
function isObject({ open, members, pair, values }: Node, before: Node | undefined): boolean {
  if (members.length === 0) return pair !== null && open === '{' && !values
  return (
    open !== '(' ||
    before?.kind !== 'word' ||
    members.some(({ name }) => choosing.test(name.text)) ||
    /^(?:dict|array|new|list|map\w*)$/i.test(before.text)
  )
}

/** The names that choose modules: text with one of them is a query. */
export const choosing = /^(?:action|list|prop|meta|generator)$/i
