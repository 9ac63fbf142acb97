// The words, signs and texts of a program in any language, grouped by brackets.
import { type Literal, literalAt, spanIn } from './literal.ts'
import { addressAt } from './prose.ts'
import { literalsOf } from './quoted.ts'

export type Leaf = { kind: 'text' | 'word' | 'sign' | 'line'; literal: Literal; start: number; end: number }

/** An object's content: its own members, and the names of included objects: `...base`, `**base`. */
export type Taken = { members: Member[]; spreads: string[] }

/** The content of brackets; the outermost group is the whole text. */
export type Group = Taken & {
  kind: 'group'
  open: string
  nodes: Node[]
  start: number
  end: number
  parent?: Group
  /** The group's target: a variable, a named argument, or a member of another object. */
  name: string
  /** Its values, if it has nothing else. */
  values: Literal[] | null
  /** `("a", "b")`, or an object with a name and a value as members. */
  pair: Member | null
}
export type Node = Leaf | Group
export type Member = { name: Literal; values: Literal[] }

const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** Maximum depth of brackets. Nobody nests more. */
const deepest = 50
const word = /[\w$\u0080-\uffff]+(?:!(?=\())?/y
const sign = /\\[{}()[\]]|[-+.*|&<>~^:]?=>?|->|::|\?\.|\.\.|<<|<>|\+\+|&&|\|\||\/\/|./sy
const space =
  /[^\S\n]+|[\\_`^]\r?\n|(?<!=' ?)\/\/(?!\s*'|[\w() ]+\/\/).*|(?<=^|\s)#(?![{["(]).*|\/\*[\s\S]*?(?:\*\/|$)/y
const symbol = /(?<=[\s([{,]):[a-z_]\w*/y
/** The beginnings of literals and of bare addresses; most other places are passed by. */
const quotes = /[a-zA-Z\d@$#]{0,4}["'`]|[bcqrf%~[{|#@$]/y

/** More than a request of all the catalogue's names has. */
const mostNodes = 10_000

/** The groups of a text, each before those inside it; a text may be cut anywhere. @returns null for too long a program */
export function readGroups(text: string): Group[] | null {
  const outermost = newGroup('', 0)
  const groups = [outermost]
  const open = [outermost]
  const { literalFrom } = literalsOf(text)
  let at = 0
  let count = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.test(text) ? text.slice(at, pattern.lastIndex) : undefined
  }
  while (at < text.length) {
    if (count++ > mostNodes) return null
    const group = open.at(-1) ?? outermost
    const add = (kind: Leaf['kind'], literal: Literal, end: number) => {
      group.nodes.push({ kind, literal, start: at, end })
      at = end
    }
    const letter = text[at] ?? ''
    const skipped = /[\s\\/#_`^]/.test(letter) ? take(space) : undefined
    if (skipped) {
      at += skipped.length
      continue
    }
    const read = take(quotes) === undefined || /\w/.test(text[at - 1] ?? '') ? undefined : literalFrom(at)
    const address = letter === 'h' ? addressAt(text, at) : undefined
    const named = letter === ':' ? take(symbol) : undefined
    if (read) add('text', read.literal, read.end)
    else if (address) add('text', address, spanIn(address, [0, address.text.length])[1])
    else if (named) add('text', literalAt(named.slice(1), at + 1), at + named.length)
    else if (letter === '\n') add('line', literalAt(letter, at), at + 1)
    else if (/[([{]/.test(letter) && open.length < deepest) {
      const inner = { ...newGroup(letter, at), parent: group }
      group.nodes.push(inner)
      groups.push(inner)
      open.push(inner)
      at++
    } else if (/[)\]}]/.test(letter)) {
      at++
      // Brackets that never close end with those around them.
      const from = open.findLastIndex(({ open }) => closing[open] === letter)
      for (const ended of from > 0 ? open.splice(from) : []) ended.end = at
    } else {
      const name = take(word)
      const other = name ?? take(sign) ?? letter
      add(name ? 'word' : 'sign', literalAt(other, at), at + other.length)
    }
  }
  for (const group of open) group.end = text.length
  return groups
}

const newGroup = (open: string, start: number): Group => ({
  kind: 'group',
  open,
  nodes: [],
  start,
  end: start,
  name: '',
  values: null,
  pair: null,
  members: [],
  spreads: [],
})

export const textOf = (node: Node | undefined): string => (node && node.kind !== 'group' ? node.literal.text : '')
export const isSign = (node: Node | undefined, sign: string): boolean => node?.kind === 'sign' && textOf(node) === sign
