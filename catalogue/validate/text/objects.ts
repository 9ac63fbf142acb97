// Objects, lists and pairs of a program: their names and values.

import { choosing, keyOf, valuesOf } from './expressions.ts'
import { expression, type Literal, literalAt } from './literal.ts'
import { type Group, isSign, type Member, type Node, type Taken, textOf } from './tokens.ts'

/** Maximum nodes of a value given by `=` alone. */
const longestValue = 20

/** Those of them that name a module. */
export const naming = /^(?:list|prop|meta|generator)$/i

/** Reads a group's content, after the groups inside it. */
export function describe(group: Group, text: string): void {
  for (const at of group.nodes.keys()) mergeInto(group.nodes, at)
  const entries = entriesOf(group)
  const values = entries.map(entry => valuesOf(entry, text))
  const isList = values.every(
    (each, at) => each !== null && !keyOf(entries[at] ?? []) && !each.some(({ marks }) => /^x+$/.test(marks)),
  )
  if (isList) group.values = values.flatMap(each => each ?? [])
  const [first, second] = entries
  const [name] = first?.length === 1 && first[0]?.kind === 'text' ? [first[0].literal] : []
  if (name && second && values[1] && entries.length === 2) group.pair = { name, values: values[1] }
  // ("list" . "search"), (cons 'list "search")
  const [dotted = null, ...rest] = entries.length === 1 && group.open === '(' ? withoutCons(first ?? []) : []
  const inPair = dotted && dotted.kind !== 'group' && rest.length > 0 ? valuesOf(rest, text) : null
  if (dotted?.kind !== 'group' && dotted && inPair) group.pair = { name: dotted.literal, values: inPair }

  for (const entry of entries) {
    const key = keyOf(entry)
    if (!key) {
      const spread = /^(?:\.\.\.|\*\*)([\w$]+)$/.exec(entry.map(textOf).join(''))?.[1]
      if (spread) group.spreads.push(spread)
      // { action: 'query', titles }
      const [own, ...more] = entry
      if (own?.kind === 'word' && more.length === 0 && group.open === '{' && entries.some(keyOf)) {
        group.members.push({ name: own.literal, values: [expression(textOf(own), own.start)] })
        continue
      }
      entry.forEach((only, at) => {
        if (only.kind !== 'group' || !only.pair || isMethod(entry, at)) return
        if (entries.length === 1 && entry.at(-1) === only && group.open === '(' && at < 2) group.pair = only.pair
        else group.members.push(only.pair)
      })
      continue
    }
    nameGroups(entry, textOf(key.node) || 'values')
    const given = valuesOf(entry.slice(key.length), text)
    if (given === null) continue
    const isArgument =
      group.open === '(' && /^(?:site|self|url|timeout|headers|method|http_method)$/.test(key.name.text)
    const isCallback =
      /^[=-]>$/.test(textOf(entry[1])) && entries.length === 1 && group.open === '(' && key.node.kind === 'word'
    const isListed = group.open !== '' || (isSign(entry[key.length - 1], '=>') && entries.length > 1)
    if (isListed && !isArgument && !isCallback && given.length > 0)
      group.members.push({ name: key.name, values: given })
  }
  const members = new Map(group.members.map(({ name, values }) => [name.text, values]))
  const [key] = members.get('name') ?? members.get('key') ?? []
  const value = members.get('value')
  if (key && value && group.members.length <= 3) {
    group.pair = { name: key, values: value }
    group.members = []
  }
  if (group.members.length === 0 && group.open !== '') group.members = alternating(group, entries, text)
}

/** `"list" . "search"`, and `cons 'list "search"`: the name, then the value. */
function withoutCons(entry: readonly Node[]): readonly Node[] {
  if (entry[0]?.kind === 'text' && isSign(entry[1], '.') && entry[2]?.start !== entry[1]?.end)
    return [entry[0], ...entry.slice(2)]
  return textOf(entry[0]) === 'cons' ? entry.slice(isSign(entry[1], "'") ? 2 : 1) : []
}

/** Names and values in turn, from a name that chooses modules: `Map.of("list", "search")`, `{:list "search"}`. */
function alternating({ nodes, open }: Group, entries: readonly Node[][], text: string): Member[] {
  const isSeparate =
    entries.length > 1 &&
    entries.every(([first, second]) => (first?.kind === 'text' ? !second || second.kind === 'sign' : true))
  const items = isSeparate
    ? entries
    : nodes.filter(node => node.kind !== 'line' && !isSign(node, ',')).map(node => [node])
  const nameIn = ([node, ...more]: readonly Node[] = []): Literal | undefined =>
    node && node.kind !== 'group' && (isSeparate ? node.kind === 'text' : node.kind !== 'sign') && more.length === 0
      ? node.literal
      : undefined
  const start = items.findIndex(item => choosing.test(nameIn(item)?.text ?? ''))
  if (start < 0 || (items.length - start) % 2 > 0 || (isSeparate && start === 0 && items.length < 4)) return []
  const members: Member[] = []
  for (let at = start; at < items.length; at += 2) {
    const name = nameIn(items[at])
    const value = items[at + 1] ?? []
    const [node] = value
    const isBraced = !isSeparate && node?.kind === 'group' && node.open === '{'
    const values = isBraced
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
  const [call, callee] = [nodes[at], textOf(nodes[at - 1])]
  if (call?.kind !== 'group' || call.open !== '(') {
    // BASE | {"list": "random"}, $base + ['list' => 'random']
    const base = isSign(nodes[at - 1], '|') || isSign(nodes[at - 1], '+') ? nodes[at - 2] : undefined
    if (call?.kind === 'group' && call.members.length > 0 && base?.kind === 'word') call.spreads.push(textOf(base))
  } else if (merging.test(callee)) {
    const owner = ofItself.test(callee) && isMethod(nodes, at) ? nodes[at - 3] : undefined
    takeOver(call, owner && textOf(owner) !== '_' ? [[owner], ...entriesOf(call)] : entriesOf(call))
  }
}

function takeOver(to: Taken, entries: readonly (readonly Node[])[]): void {
  for (const [node, ...more] of entries) {
    if (more.length > 0 || !node) continue
    if (node.kind === 'word') to.spreads.push(textOf(node))
    if (node.kind !== 'group') continue
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
function entriesOf({ nodes, open }: Group): Node[][] {
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
  nodes[at - 1]?.kind === 'word' && /^(?:\.|->|::|\?\.)$/.test(textOf(nodes[at - 2]))

/** `params.append("a", "b")`, `params.update(…)`, `$params["a"] = "b"` and `params.a = "b"`, by their object. */
export function takeCalls({ nodes }: Group, text: string, given: Map<string, Taken>): void {
  const takenBy = (name: string): Taken => {
    const taken = given.get(name) ?? { members: [], spreads: [] }
    given.set(name, taken)
    return taken
  }
  const add = (to: string, member: Member) => takenBy(to).members.push(member)
  let chain = ''
  nodes.forEach((node, at) => {
    const [owner, next] = [nodes[at - 1], nodes[at + 1]]
    if (node.kind === 'group' && node.pair && node.open === '(' && isMethod(nodes, at)) {
      const before = nodes[at - 3]
      if (before?.kind === 'word') chain = textOf(before)
      add(chain, node.pair)
    }
    const updated = node.kind === 'group' && textOf(owner) === 'update' && isMethod(nodes, at) ? nodes[at - 3] : null
    if (node.kind === 'group' && updated?.kind === 'word') {
      const taken = takenBy(textOf(updated))
      takeOver(taken, [[updated], [node], ...entriesOf(node)])
    }
    if (!isSign(next, '=')) return
    let end = at + 2
    while (nodes[end] && nodes[end]?.kind !== 'line' && !isSign(nodes[end], ';') && end < at + longestValue) end++
    const values = valuesOf(nodes.slice(at + 2, end), text)
    const [name, ...more] = node.kind === 'group' && node.open === '[' ? (node.values ?? []) : []
    if (values && name && more.length === 0 && owner?.kind === 'word') add(textOf(owner), { name, values })
    if (values && node.kind === 'word' && isSign(owner, '.')) add(textOf(nodes[at - 2]), { name: node.literal, values })
  })
}
