// The words, signs and texts of a program in any language, grouped by brackets.
import { type Literal, literalAt, readEscapes } from './literal.ts'

type Leaf = { kind: 'text' | 'word' | 'sign' | 'line'; literal: Literal; start: number; end: number }

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

/** Maximum depth of brackets. Nobody nests more. */
const deepest = 50
const word = /[\w$\u0080-\uffff]+/y
const sign = /=>|:=|->|::|\?\.|\.\.|./sy
const space = /[^\S\n]+|\\\r?\n|\/\/[^\n]*|(?<=^|\s)#(?![{[])[^\n]*/y
const bareAddress = /https?:\/\/[^\s"'`<>)\]}]+/y
const symbol = /(?<=[\s([{,]):[a-z_]\w*/y

/** The groups of a text, each before those inside it. Nothing is refused: a text may be cut anywhere. */
export function readGroups(text: string): Group[] {
  const outermost = newGroup('', 0)
  const groups = [outermost]
  const open = [outermost]
  /** By quote: the place up to which it is unclosed. */
  const unclosed = new Map<string, number>()
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  while (at < text.length) {
    const group = open.at(-1) ?? outermost
    const add = (kind: Leaf['kind'], literal: Literal, length: number) => {
      group.nodes.push({ kind, literal, start: at, end: at + length })
      at += length
    }
    const letter = text[at] ?? ''
    if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at)
      at = end < 0 ? text.length : end + 2
      continue
    }
    const skipped = /[\s\\/#]/.test(letter) ? take(space) : undefined
    if (skipped) {
      at += skipped.length
      continue
    }
    const bare = letter === 'h' ? take(bareAddress) : undefined
    const named = letter === ':' ? take(symbol) : undefined
    if (bare) add('text', literalAt(bare, at), bare.length)
    else if (named) add('text', literalAt(named.slice(1), at + 1), named.length)
    else if (letter === '\n') add('line', literalAt(letter, at), 1)
    else if (/["'`]/.test(letter) && at >= (unclosed.get(letter) ?? 0)) {
      const quote = text.startsWith(letter.repeat(3), at) ? letter.repeat(3) : letter
      const start = at + quote.length
      const [end, isClosed] = endOf(text, quote, start)
      if (!isClosed) {
        unclosed.set(letter, end)
        continue
      }
      const before = group.nodes.at(-1)
      const prefix = before?.kind === 'word' && before.end === at && /^(?:[rbuf]{1,2}|\$)$/i.test(textOf(before))
      if (prefix) group.nodes.pop()
      const literal = readEscapes(text.slice(start, end), start)
      if (letter !== "'" || prefix) literal.open = 'part'
      add('text', literal, end + quote.length - at)
    } else if (/[([{]/.test(letter) && open.length < deepest) {
      const inner = { ...newGroup(letter, at), parent: group }
      group.nodes.push(inner)
      groups.push(inner)
      open.push(inner)
      at++
    } else if (/[)\]}]/.test(letter)) {
      at++
      if (open.length > 1) group.end = at
      if (open.length > 1) open.pop()
    } else {
      const name = take(word)
      if (name) add('word', literalAt(name, at), name.length)
      else {
        const other = take(sign) ?? letter
        add('sign', literalAt(other, at), other.length)
      }
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

/** The end of a quoted text. Only triple quotes and backticks span lines. */
function endOf(text: string, quote: string, start: number): [end: number, isClosed: boolean] {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text.startsWith(quote, at)) return [at, true]
    else if (text[at] === '\n' && quote.length === 1 && quote !== '`') return [at, false]
  }
  return [text.length, false]
}

export const textOf = (node: Node | undefined): string => (node && node.kind !== 'group' ? node.literal.text : '')
export const isSign = (node: Node | undefined, sign: string): boolean => node?.kind === 'sign' && textOf(node) === sign
