// Texts that a program joins into one, with its own values in between.
import { joining } from './expressions.ts'
import { expression, join, type Literal, literalAt, maskHoles } from './literal.ts'
import { type Group, type Leaf, type Node, textOf } from './tokens.ts'

/** A joined text, and the brackets that its first piece stands in. */
export type Run = { literal: Literal; group: Group }

type Bracket = { kind: 'open' | 'close'; group: Group; start: number; end: number }
type Step = Leaf | Bracket
type At = { step: Leaf; group: Group; nth: number }

const operator = /^(?:\+|\. |\.\.|\+\+|&|&&|~|\|\||<>|<<|\^|\*|\\|\/\/|[.+~&]=)$/
/** Methods that join their argument to what there is; calls and brackets that join all of theirs. */
const joiningMethod = /^(?:append\w*|concat\w*|cat|plus|push|add|write\w*|print|puts|insert|stringByAppending\w*)$/i
const joiningCall = /^(?:concat\w*!?|paste0?|str|strcat|append|join\w*|implode|cat|textjoin)$/i
const member = /^(?:\.|->|::|\?\.|:)$/
const noise = /^(?:DELIMITED|BY|SIZE)$/

/** Text of a query or an address, and what surely is the beginning of one of its pairs. */
const queryish = /[?&=]|:\/\//
const clear = /[?&][\w%[\]-]+=|^[\w[\]-]+=|:\/\//
const ownPair = /^[\w[\]-]+=/
const goesOn = /^(?:[&=|]|%7C|%26)/i
const isOpenEnded = /(?:[=&|?:/,]|%7C|%3A|%2C)$/i

/** Steps of an expression between two texts, or behind one: nobody writes a longer one. */
const longestGap = 60

export function runsOf(root: Group, source: string): Run[] {
  const steps: Step[] = []
  const isDotted = /<\?php|\$\w+ ?\.?=|\$\w+->/.test(source)
  const texts: At[] = []
  const clearGroups = new Set<Group>()
  const joined = new Set<Group>()
  /** Brackets whose texts `&` joins: pairs of their own. */
  const split = new Set<Group>()
  walk(root)
  const runs: Run[] = []
  let pieces: Literal[] = []
  /** What matters of the pieces' text. */
  let [isQueryish, isSpaced, ending] = [false, false, '']
  let first: At | undefined
  let last: At | undefined
  for (const next of texts) {
    const isNear = last && next.nth - last.nth <= longestGap
    const between = last && isNear ? steps.slice(last.nth + 1, next.nth) : []
    if (isNear && isInside(between)) continue
    const gap = last && isNear && isJoined(last, next, between) ? coreOf(between) : undefined
    if (gap === undefined) {
      end(next)
      first = next
      pieces = []
      ;[isQueryish, isSpaced, ending] = [false, false, '']
    } else if (gap) put(gap)
    put(next.step.literal)
    last = next
  }
  end()
  return runs

  /** An address without quotes goes on nowhere. */
  function isBare({ step }: At): boolean {
    return source.startsWith('http', step.start)
  }

  function put(piece: Literal): void {
    const masked = maskHoles(piece)
    pieces.push(piece)
    isQueryish ||= queryish.test(masked)
    isSpaced ||= /\s/.test(masked)
    ending = (ending + masked).slice(-3)
  }

  function walk(group: Group): void {
    const { nodes, open } = group
    // Inside other brackets than braces a line ends nothing, and ; separates as a comma does.
    const isInList = /[[(]/.test(open)
    nodes.forEach((node, at) => {
      if (node.kind === 'group') {
        const isList = /[[{]/.test(node.open)
        if (joinsAll(node, nodes, at) || (joined.has(group) && isList)) joined.add(node)
        if (joinsBySign(node, nodes, at) || (split.has(group) && isList)) split.add(node)
        steps.push({ kind: 'open', group: node, start: node.start, end: node.start + 1 })
        walk(node)
        steps.push({ kind: 'close', group: node, start: node.end - 1, end: node.end })
        return
      }
      if (node.kind === 'line' && isInList) return
      const { start, end, kind } = node
      const isSeparator =
        /^[&|,]?$/.test(node.literal.text) &&
        (joining.test(textOf(nodes[at + 2])) || (joined.has(group) && (at === 0 || at === nodes.length - 1)))
      if (kind === 'text' && !isSeparator) {
        texts.push({ step: node, group, nth: steps.length })
        if (clear.test(node.literal.text))
          for (let each: Group | undefined = group; each && !clearGroups.has(each); each = each.parent)
            clearGroups.add(each)
      }
      // 'a' . $b, but not get('a').text, nor a sentence that ends
      const isDot = textOf(node) === '.' && (isDotted || /^(?:.\.["'$]|\s\.\s)/.test(source.slice(start - 1, end + 1)))
      const sign = isDot ? '. ' : textOf(node) === ';' && isInList ? ',' : textOf(node)
      steps.push(kind === 'sign' ? { kind, literal: literalAt(sign, start), start, end } : node)
    })
  }

  function end(next?: At): void {
    if (!first || !last) return
    if (isBare(last)) {
      runs.push({ literal: join(pieces), group: first.group })
      return
    }
    const tail = tailOf(steps.slice(last.nth + 1, Math.min(next?.nth ?? steps.length, last.nth + 1 + longestGap)), last)
    runs.push({ literal: join(tail ? [...pieces, tail] : pieces), group: first.group })
  }

  /** Whether a text belongs to an expression in the gap before it. */
  function isInside(between: readonly Step[]): boolean {
    return unclosed(between).some(at => {
      const { group } = between[at] as Bracket
      const callee = between[at - 1]
      const isPlain =
        !callee || !/^(?:word|close)$/.test(callee.kind) || (callee.end < group.start && group.open !== '(')
      return !isPlain && !joiningMethod.test(word(callee)) && !clearGroups.has(group)
    })
  }

  function isJoined(from: At, to: At, between: readonly Step[]): boolean {
    const next = maskHoles(to.step.literal)
    if (isBare(from)) return false
    if (/^https?:|^[\w./]*\?/.test(next) && (isSpaced || /^https?:/.test(next))) return false
    if (!isQueryish && !queryish.test(next)) return hasOperator(between)
    const isOpen = isOpenEnded.test(ending)
    const isNext = goesOn.test(next) && isQueryish
    const isBroken = hasBreak(between)
    if (split.has(to.group) && (hasComma(between) || between.some(({ kind }) => kind === 'open'))) return false
    if (hasOperator(between) && !isBroken && !hasComma(between)) return true
    if (ownPair.test(next)) return /[?&]$/.test(ending) && !(isBroken && !isBuilt(between))
    if (isBroken) return (isOpen || isNext) && isBuilt(between)
    if (between.some(step => /^[:=]$|=>|->/.test(word(step)) && step.kind === 'sign')) return isNext
    const isList = joined.has(from.group) && joined.has(to.group)
    if (isList || isNext || hasComma(between)) return isList || isNext
    return isQueryish && (isOpen || between.every(({ kind }) => kind === 'line' || kind === 'close'))
  }

  /** The value of the program in a gap; null for none. */
  function coreOf(given: readonly Step[]): Literal | null {
    const ended = given.findIndex(step => step.kind === 'sign' && word(step) === ';')
    const before = ended > 0 && ended < given.length - 1 ? coreOf(given.slice(0, ended)) : null
    if (before) return before
    const between = given.slice(ended + 1)
    let [start, end] = [0, between.length]
    const pass = (at: number) => {
      const step = between[at]
      return (
        step === undefined ||
        /^(?:line|close)$/.test(step.kind) ||
        (step.kind === 'sign' && (operator.test(word(step)) || /^[,;!)]$/.test(word(step)))) ||
        noise.test(word(step)) ||
        isKeyword(between, at)
      )
    }
    const pairs = matching(between)
    for (let isMoved = true; isMoved && start < end; ) {
      const before = start + end * 1e6
      if (isJoining(between, start)) start = callAt(between, start) + 1
      else if (start < end && pass(start)) start++
      const lastStep = between[end - 1]
      if (lastStep && start < end) {
        if (lastStep.kind === 'open' || /^[-.+~&]?=$/.test(word(lastStep))) {
          end--
          while (end > start && /^(?:word)$/.test(between[end - 1]?.kind ?? '')) {
            end--
            while (end > start && member.test(word(between[end - 1]))) end--
          }
        } else if (lastStep.kind === 'close' ? (pairs.get(end - 1) ?? -1) < start : pass(end - 1)) end--
      }
      isMoved = before !== start + end * 1e6
    }
    const [from, to] = [between[start], between[end - 1]]
    return from && to && start < end ? expression(source.slice(from.start, to.end), from.start) : null
  }

  /** The value behind the last piece, up to the end of its expression. */
  function tailOf(after: readonly Step[], { group }: At): Literal | null {
    if (!isQueryish) return null
    let end = 0
    let depth = 0
    const isList = joined.has(group)
    const isOpen = /(?:[=|:]|%7C|%3A)$/i.test(ending)
    for (; end < after.length; end++) {
      const step = after[end] as Step
      if (step.kind === 'open') depth++
      if (step.kind === 'close' && depth-- <= 0) {
        // f("a") + b, but not f("a"), b.
        const isJoinedOn = isKeyword(after, end + 1) || isJoining(after, end + 1)
        const isBuiltOn = isOpen && isBreak(after, end + 1) && isBuilt(after.slice(end + 1, end + 9))
        if (!isJoinedOn && !isBuiltOn && (isList || !operator.test(word(after[end + 1])))) break
        depth = 0
      }
      if (depth > 0) continue
      const sign = step.kind === 'sign' ? word(step) : ''
      if (sign === ';' && !isList) break
      if (sign === ',' && !isList && (group.open !== '' || end > 0)) break
      if (isBreak(after, end) && !(isOpen && isBuilt(after.slice(end, end + 8)))) break
    }
    const inside = after.slice(0, end)
    const starts = inside.find(({ kind }) => kind !== 'close' && kind !== 'line')
    if (!starts) return null
    const isBehind = operator.test(word(starts)) && inside.length > 1
    const call = inside.indexOf(starts)
    const isMethod = callAt(inside, call) >= 0 && member.test(word(starts))
    return (isMethod ? isJoining(inside, call) : isBehind || isList || isOpen) ? coreOf(inside) : null
  }
}

const word = (step: Step | undefined): string =>
  step && 'literal' in step && step.kind !== 'text' ? step.literal.text : ''

/** The bracket of a call that begins here, `.name(` or `name(`, or -1. */
function callAt(steps: readonly Step[], start: number): number {
  let at = start
  while (member.test(word(steps[at])) || steps[at]?.kind === 'word') at++
  return at > start && steps[at]?.kind === 'open' && steps[at - 1]?.kind === 'word' ? at : -1
}

/** Whether a call begins here that joins its argument to what there is. */
const isJoining = (steps: readonly Step[], start: number): boolean =>
  joiningMethod.test(word(steps[callAt(steps, start) - 1]))

/** Objective-C's `stringByAppendingString:`. */
const isKeyword = (steps: readonly Step[], at: number): boolean =>
  (word(steps[at]) === ':' && joiningMethod.test(word(steps[at - 1]))) ||
  (word(steps[at + 1]) === ':' && joiningMethod.test(word(steps[at])))

/** By its open bracket the close one, and the other way round. */
function matching(steps: readonly Step[]): Map<number, number> {
  const open: number[] = []
  const pairs = new Map<number, number>()
  steps.forEach(({ kind }, at) => {
    if (kind === 'open') open.push(at)
    if (kind !== 'close') return
    const from = open.pop()
    if (from === undefined) return
    pairs.set(from, at)
    pairs.set(at, from)
  })
  return pairs
}

const unclosed = (steps: readonly Step[]): number[] => {
  const pairs = matching(steps)
  return steps.flatMap(({ kind }, at) => (kind === 'open' && !pairs.has(at) ? [at] : []))
}

function hasOperator(between: readonly Step[]): boolean {
  const inside = between.filter(({ kind }) => kind !== 'line')
  const [first] = inside.filter(({ kind }) => kind !== 'close')
  const [last] = inside.filter(({ kind }) => kind !== 'open').slice(-1)
  const isMethod = member.test(word(first)) && inside[inside.indexOf(first as Step) + 1]?.kind === 'word'
  return (
    (operator.test(word(first)) && !isMethod) ||
    operator.test(word(last)) ||
    (joiningMethod.test(word(inside.at(-2))) && inside.at(-1)?.kind === 'open')
  )
}

const hasComma = (between: readonly Step[]): boolean => {
  let depth = 0
  return between.some(step => {
    if (step.kind === 'open') depth++
    if (step.kind === 'close') depth = Math.max(0, depth - 1)
    return depth === 0 && /^[,;]$/.test(word(step)) && step.kind === 'sign'
  })
}

/** The end of a statement: a `;`, or a line that no operator continues. */
function isBreak(steps: readonly Step[], at: number): boolean {
  const step = steps[at]
  if (step?.kind === 'sign' && word(step) === ';') return true
  if (step?.kind !== 'line') return false
  const before = steps[at - 1]
  const next = steps.slice(at + 1).find(({ kind }) => kind !== 'line')
  return (
    !noise.test(word(before)) &&
    before?.kind !== 'line' &&
    !operator.test(word(before)) &&
    word(before) !== ',' &&
    !operator.test(word(next)) &&
    !member.test(word(next)) &&
    next?.kind !== 'text' &&
    next?.kind !== 'close'
  )
}

const hasBreak = (between: readonly Step[]): boolean => between.some((_, at) => isBreak(between, at))

/** Whether statements go on with the same text: `url += …`, `url.append(…)`, `out << …`. */
const isBuilt = (between: readonly Step[]): boolean =>
  between.some(
    (step, at) =>
      /^(?:[+.~&]=|<<)$/.test(word(step)) || (joiningMethod.test(word(step)) && between[at + 1]?.kind === 'open'),
  )

/** Whether brackets join all that is in them: `concat(…)`, `(str …)`, `[…].join('')`. */
function joinsAll({ nodes }: Group, siblings: readonly Node[], at: number): boolean {
  const [callee, first] = [siblings[at - 1], nodes[0]]
  const inside = textOf(first) === 'string' ? nodes[2] : first
  return (
    (callee?.kind === 'word' && joiningCall.test(textOf(callee))) ||
    (member.test(textOf(siblings[at + 1])) && joiningCall.test(textOf(siblings[at + 2]))) ||
    (inside?.kind === 'word' && joiningCall.test(textOf(inside)))
  )
}

/** Whether `&` joins all that is in them: `"&".join([…])`, `implode('&', […])`. */
function joinsBySign({ nodes }: Group, siblings: readonly Node[], at: number): boolean {
  const isCalled = joining.test(textOf(siblings[at - 1]))
  const next = siblings[at + 3]
  const isMethod = joining.test(textOf(siblings[at + 2])) && next?.kind === 'group'
  const signs = [...(isCalled ? [siblings[at - 3], nodes[0], nodes.at(-1)] : []), ...(isMethod ? [next.nodes[0]] : [])]
  return signs.some(node => node?.kind === 'text' && textOf(node) === '&')
}
