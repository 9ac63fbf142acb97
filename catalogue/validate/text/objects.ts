// Objects, lists and pairs of a program: their names and values.

import { choosing, keyOf, valuesOf } from './expressions.ts'
import { expression, type Literal, literalAt } from './literal.ts'
import { isSign, type Member, member, type Node, type Taken, textOf } from './tokens.ts'

/** Maximum nodes of a value given by `=` alone. */
const longestValue = 20

/** Reads a group's content, after the groups inside it. */
export function describe(group: Node, text: string): void {
  const { open, nodes, members } = group
  for (const at of nodes.keys()) mergeInto(nodes, at)
  const entries = entriesOf(group)
  const keys = entries.map(keyOf)
  const values = entries.map(entry => valuesOf(entry, text))
  const isList = values.every((each, at) => !keys[at] && each?.every(({ marks }) => !/^x+$/.test(marks)))
  if (isList) group.values = values.flatMap(each => each ?? [])
  const [first = []] = entries
  const isAlone = entries.length === 1 && open === '('
  if (entries.length === 2 && first.length === 1 && first[0]?.kind === 'text' && values[1])
    group.pair = { name: first[0], values: values[1] }
  // ("list" . "search"), (cons 'list "search")
  const [dotted, ...rest] = isAlone ? withoutCons(first) : []
  const inPair = dotted && dotted.kind !== 'group' && valuesOf(rest, text)
  if (inPair) group.pair = { name: dotted, values: inPair }

  entries.forEach((entry, nth) => {
    const key = keys[nth]
    const [own] = entry
    const spread = /^(?:\.\.\.|\*\*)([\w$]+)$/.exec(entry.map(textOf).join(''))?.[1]
    if (key) {
      nameGroups(entry, key.node.text || 'values')
      const given = valuesOf(entry.slice(key.length), text)
      const isArgument = open === '(' && /^(?:site|self|url|timeout|headers|method|http_method)$/.test(key.name.text)
      const isCallback = isAlone && key.node.kind === 'word' && /^[=-]>$/.test(textOf(entry[1]))
      const isListed = open !== '' || (isSign(entry[key.length - 1], '=>') && entries.length > 1)
      if (given?.length && isListed && !isArgument && !isCallback) members.push({ name: key.name, values: given })
    } else if (spread) group.spreads.push(spread)
    // { action: 'query', titles }
    else if (own?.kind === 'word' && entry.length === 1 && open === '{' && keys.some(Boolean))
      members.push({ name: own, values: [expression(own.text, own.start)] })
    else
      entry.forEach((only, at) => {
        if (!only.pair || isMethod(entry, at)) return
        if (isAlone && entry.at(-1) === only && at < 2) group.pair = only.pair
        else members.push(only.pair)
      })
  })
  const named = new Map(members.map(({ name, values }) => [name.text, values]))
  const [key] = named.get('name') ?? named.get('key') ?? []
  const value = named.get('value')
  if (key && value && members.length <= 3) {
    group.pair = { name: key, values: value }
    group.members = []
  }
  if (group.members.length === 0 && open !== '') group.members = alternating(group, entries, text)
}

/** `"list" . "search"`, and `cons 'list "search"`: the name, then the value. */
function withoutCons(entry: readonly Node[]): readonly Node[] {
  const [first, second, third] = entry
  if (first?.kind === 'text' && isSign(second, '.') && third?.start !== second?.end) return [first, ...entry.slice(2)]
  return textOf(first) === 'cons' ? entry.slice(isSign(second, "'") ? 2 : 1) : []
}

/** Names and values in turn, from a name that chooses modules: `Map.of("list", "search")`, `{:list "search"}`. */
function alternating({ nodes, open }: Node, entries: readonly Node[][], text: string): Member[] {
  const isSeparate =
    entries.length > 1 &&
    entries.every(([first, second]) => first?.kind !== 'text' || !second || second.kind === 'sign')
  const items = isSeparate
    ? entries
    : nodes.filter(node => node.kind !== 'line' && !isSign(node, ',')).map(node => [node])
  const nameIn = ([node, ...more]: readonly Node[] = []): Literal | undefined =>
    node && more.length === 0 && (isSeparate ? node.kind === 'text' : /text|word/.test(node.kind)) ? node : undefined
  const start = items.findIndex(item => choosing.test(nameIn(item)?.text ?? ''))
  if (start < 0 || (items.length - start) % 2 > 0 || (isSeparate && start === 0 && items.length < 4)) return []
  const members: Member[] = []
  for (let at = start; at < items.length; at += 2) {
    const name = nameIn(items[at])
    const value = items[at + 1] ?? []
    const [node] = value
    const values =
      !isSeparate && node?.open === '{'
        ? [literalAt(text.slice(node.start + 1, node.end - 1), node.start + 1)]
        : valuesOf(value, text)
    if (!name || !values || (!isSeparate && node?.kind === 'sign')) return open === '(' ? [] : members
    members.push({ name, values })
  }
  return members
}

/** Calls that merge objects; a method merges its own object first. */
const merging = /^(?:dict|array_merge|array_replace|assign|extend|merge|copy)$/
const ofItself = /^(?:merge|copy)$/

/** A merging call gets the merged members of objects, and the names of variables. */
function mergeInto(nodes: readonly Node[], at: number): void {
  const [base, before, call] = [nodes[at - 2], textOf(nodes[at - 1]), nodes[at]]
  if (call?.open === '(' && merging.test(before)) {
    const owner = ofItself.test(before) && isMethod(nodes, at) ? nodes[at - 3] : undefined
    takeOver(call, owner && owner.text !== '_' ? [[owner], ...entriesOf(call)] : entriesOf(call))
  }
  // BASE | {"list": "random"}, $base + ['list' => 'random']
  if (call?.open !== '(' && call?.members.length && /^[|+]$/.test(before) && base?.kind === 'word')
    call.spreads.push(base.text)
}

function takeOver(to: Taken, entries: readonly (readonly Node[])[]): void {
  for (const [node, ...more] of entries) {
    if (more.length > 0 || !node) continue
    if (node.kind === 'word') to.spreads.push(node.text)
    const { members, spreads } = node
    to.members = [...to.members.filter(each => !members.some(({ name }) => name.text === each.name.text)), ...members]
    to.spreads.push(...spreads)
    node.members = []
  }
}

/** Gives an assignment's groups its name; a call passes the name on to its arguments. */
function nameGroups(nodes: readonly Node[], name: string): void {
  const left = [...nodes]
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.kind !== 'group' || node.name !== '') continue
    node.name = name
    if (node.open === '(') for (const inner of node.nodes) left.push(inner)
  }
}

/** Entries between commas, semicolons, and lines if the next one begins with a key. */
function entriesOf({ nodes, open }: Node): Node[][] {
  const entries: Node[][] = [[]]
  nodes.forEach((node, at) => {
    if (isSign(node, ',') || isSign(node, ';')) entries.push([])
    else if (node.kind !== 'line') entries.at(-1)?.push(node)
    else if (open === '' || keyOf(nodes.slice(at + 1, at + 4)) || /^\w/.test(textOf(nodes[at + 1]))) entries.push([])
  })
  return entries.filter(entry => entry.length > 0)
}

/** A method call: its arguments belong to the object before it. */
const isMethod = (nodes: readonly Node[], at: number): boolean =>
  nodes[at - 1]?.kind === 'word' && member.test(textOf(nodes[at - 2]))

/** `params.append("a", "b")`, `params.update(…)`, `$params["a"] = "b"` and `params.a = "b"`, by their object. */
export function takeCalls({ nodes }: Node, text: string, given: Map<string, Taken>): void {
  const takenBy = (name: string): Taken => {
    const taken = given.get(name) ?? { members: [], spreads: [] }
    given.set(name, taken)
    return taken
  }
  let chain = ''
  nodes.forEach((node, at) => {
    const [owner, next] = [nodes[at - 1], nodes[at + 1]]
    const object = isMethod(nodes, at) ? nodes[at - 3] : undefined
    const isOfVariable = object?.kind === 'word'
    if (node.pair && node.open === '(' && isMethod(nodes, at)) {
      if (isOfVariable) chain = object.text
      takenBy(chain).members.push(node.pair)
    }
    if (isOfVariable && node.kind === 'group' && owner?.text === 'update')
      takeOver(takenBy(object.text), [[object], [node], ...entriesOf(node)])
    if (!isSign(next, '=')) return
    const assigned = nodes.slice(at + 2, at + 2 + longestValue)
    const end = assigned.findIndex(each => each.kind === 'line' || isSign(each, ';'))
    const values = valuesOf(assigned.slice(0, end < 0 ? longestValue : end), text)
    const [name, ...more] = node.open === '[' ? (node.values ?? []) : []
    if (values && name && more.length === 0 && owner?.kind === 'word')
      takenBy(owner.text).members.push({ name, values })
    if (values && node.kind === 'word' && isSign(owner, '.'))
      takenBy(textOf(nodes[at - 2])).members.push({ name: node, values })
  })
}
