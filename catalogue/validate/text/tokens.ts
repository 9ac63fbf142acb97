// The words, signs and texts of a program in any language, grouped by brackets.
import { type Literal, literalAt, matchAt } from './literal.ts'
import { addressAt } from './prose.ts'
import { literalsOf } from './quoted.ts'

export type Member = { name: Literal; values: Literal[] }

/** An object's content: its own members, and the names of included objects: `...base`, `**base`. */
export type Taken = { members: Member[]; spreads: string[] }

/** A word, a sign, a text, the end of a line, or brackets with all that is in them; the outermost brackets are the whole text. */
export type Node = Literal &
  Taken & {
    kind: 'text' | 'word' | 'sign' | 'line' | 'group'
    start: number
    end: number
    /** The bracket of a group, which has no text. */
    open: string
    nodes: Node[]
    parent?: Node
    /** The group's target: a variable, a named argument, or a member of another object. */
    name: string
    /** Its values, if it has nothing else. */
    values: Literal[] | null
    /** `("a", "b")`, or an object with a name and a value as members. */
    pair: Member | null
  }

const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** Maximum depth of brackets. Nobody nests more. */
const deepest = 50
const word = /[\w$\u0080-\uffff]+(?:!(?=\())?/y
const sign = /\\[{}()[\]]|[-+.*|&<>~^:]?=>?|([.+&|<:/])\1|->|\?\.|<>|./sy
const space = /[^\S\n]+|[\\_`^]\r?\n|\/\*[\s\S]*?(?:\*\/|$)/y
/** Fortran joins with `//`. */
const comment = /\/\/(?!\s*'|[\w() ]+\/\/).*|#(?![{["(]).*/y
const symbol = /:[a-z_]\w*/y
/** The beginnings of literals and of bare addresses; most other places are passed by. */
const quotes = /[a-zA-Z\d@$#]{0,4}["'`]|[bcqrf%~[{|#@$]/y

/** More than a request of all the catalogue's names has. */
const mostNodes = 10_000

/** The groups of a text, each before those inside it; a text may be cut anywhere. @returns null for too long a program */
export function readGroups(text: string): Node[] | null {
  const outermost = newNode('group', literalAt('', 0), 0, text.length)
  const groups = [outermost]
  const open = [outermost]
  const { literalFrom } = literalsOf(text)
  let count = 0
  for (let at = 0; at < text.length; ) {
    if (count++ > mostNodes) return null
    const group = open.at(-1) ?? outermost
    const take = (pattern: RegExp) => matchAt(pattern, text, at)?.[0]
    const add = (kind: Node['kind'], literal: Literal, end: number) => {
      const node = newNode(kind, literal, at, end)
      group.nodes.push(node)
      at = end
      return node
    }
    const letter = text[at] ?? ''
    const before = text.slice(Math.max(0, at - 3), at)
    const mayComment = letter === '#' ? /(?:^|\s)$/.test(before) : letter === '/' && !/=' ?$/.test(before)
    const skipped = take(space) ?? (mayComment && take(comment))
    if (skipped) {
      at += skipped.length
      continue
    }
    const read = take(quotes) !== undefined && !/\w$/.test(before) ? literalFrom(at) : undefined
    const address = letter === 'h' ? addressAt(text, at) : undefined
    const named = letter === ':' && /[\s([{,]$/.test(before) ? take(symbol) : undefined
    if (read) add('text', read.literal, read.end)
    else if (address) add('text', address, address.places.at(-1) ?? 0)
    else if (named) add('text', literalAt(named.slice(1), at + 1), at + named.length)
    else if (letter === '\n') add('line', literalAt(letter, at), at + 1)
    else if (closing[letter] && open.length < deepest) {
      const inner = add('group', literalAt('', at), at + 1)
      Object.assign(inner, { open: letter, end: text.length, parent: group })
      groups.push(inner)
      open.push(inner)
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
  return groups
}

const newNode = (kind: Node['kind'], literal: Literal, start: number, end: number): Node => ({
  ...literal,
  kind,
  start,
  end,
  open: '',
  nodes: [],
  name: '',
  values: null,
  pair: null,
  members: [],
  spreads: [],
})

/** What leads to a member, and what joins two texts. */
export const member = /^(?:\.|->|::|\?\.)$/
export const operator = /^(?:[+&~^*\\]|([.+&|</])\1|<>|[.+~&]=)$/

export const textOf = (node: Node | undefined): string => node?.text ?? ''
export const isSign = (node: Node | undefined, sign: string): boolean => node?.kind === 'sign' && node.text === sign
