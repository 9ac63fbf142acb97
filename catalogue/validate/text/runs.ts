// Texts that a program joins into one, with its own values in between.
import { joining } from './expressions.ts'
import { expression, join, type Literal, maskHoles } from './literal.ts'
import { isSign, member, type Node, operator, textOf } from './tokens.ts'

/** A joined text, and the brackets that its first piece stands in. */
export type Run = { literal: Literal; group: Node }

/** A text of the program. `nth`: its place among the steps. */
type Text = { node: Node; group: Node; nth: number }

/** Methods that join their argument to what there is; calls and brackets that join all of theirs. */
const joiningMethod = /^(?:(?:\w*append|concat|write)\w*|cat|plus|push|add|print|puts|insert)$/i
const joiningCall = /^(?:concat\w*!?|paste0?|str|strcat|append|join\w*|implode|cat|textjoin)$/i

/** Text of a query or an address, and what surely is the beginning of one of its pairs. */
const queryish = /[?&=]|:\/\//
const clear = /[?&][\w%[\]-]+=|^[\w[\]-]+=|:\/\//
const ownPair = /^[\w[\]-]+=/
const goesOn = /^(?:[&=|]|%7C|%26)/i
const isOpenEnded = /(?:[=&|?:/,]|%7C|%3A|%2C)$/i
const awaitsValue = /(?:[=|:]|%7C|%3A)$/i

/** Steps of an expression between two texts, or behind one: nobody writes a longer one. */
const longestGap = 60

/**
 * The letter of a step in the shape of a program: `"` for a text, `(` and `)` for brackets of each kind, `w` for a word,
 * `j` for a joining method, `n` for a word of COBOL's `DELIMITED BY SIZE`, `+` for an operator, `b` for one that assigns,
 * `<` for `<<`, `.` for what leads to a member, `>` for `->`, `a` for `=>`, and `s` for any other sign.
 */
function letterOf(kind: Node['kind'], text: string): string {
  if (kind === 'text') return '"'
  if (kind === 'line') return '\n'
  if (kind === 'word') return joiningMethod.test(text) ? 'j' : /^(?:DELIMITED|BY|SIZE)$/.test(text) ? 'n' : 'w'
  if (operator.test(text)) return text === '<<' ? '<' : text.endsWith('=') ? 'b' : '+'
  if (text === '->') return '>'
  if (member.test(text)) return '.'
  return text === '=>' ? 'a' : /^[,;!:=]$/.test(text) ? text : 's'
}

/** The end of a statement: a `;`, or a line that no operator continues. */
const isBreak = (shape: string, at: number): boolean =>
  /^(?:.;|[^n\n+b<,]\n+(?![\n+b<.:>")]))/s.test((shape[at - 1] ?? 's') + shape.slice(at))
/** Whether statements go on with the same text: `url += …`, `url.append(…)`, `out << …`. */
const isBuilt = (shape: string): boolean => /[b<]|j\(/.test(shape)
const hasOperator = (shape: string): boolean => /^\)*[+b<]|[+b<]\(*$|j\($/.test(shape.replaceAll('\n', ''))
const hasComma = (shape: string): boolean => /^[^(]*[,;]/.test(fold(shape))

/** The shape with `v` for brackets that close, and for all that is in them, and `e` for empty ones. */
function fold(shape: string): string {
  const folded = shape.replace(/\([^()]*\)/g, ({ length }) => (length > 2 ? 'v' : 'e').repeat(length))
  return folded === shape ? shape : fold(folded)
}

/** What stands before and behind a value in a gap: operators, calls and methods that join it, what it is assigned to. */
const beforeValue = /^(?:[)\n+b<,;!n]|j:|[.:>wjn]*(?:j\(|b))*/
const behindValueReversed = /^(?:[)\n+<,;!n]|:j|[(=b](?:[wje][.:>]*)*)*/

export function runsOf(root: Node, source: string): Run[] {
  /** The steps of the program: their brackets, if any, and their places. */
  const steps: { group?: Node; start: number; end: number }[] = []
  let shape = ''
  const isDotted = /<\?php|\$\w+ ?\.?=|\$\w+->/.test(source)
  const texts: Text[] = []
  const clearGroups = new Set<Node>()
  const joined = new Set<Node>()
  walk(root)
  const runs: Run[] = []
  let pieces: Literal[] = []
  /** What matters of the pieces' text. */
  let [isQueryish, isSpaced, ending] = [false, false, '']
  let last: Text | undefined
  for (const next of texts) {
    const near = last && next.nth - last.nth <= longestGap ? last : undefined
    if (near && isInside(near.nth + 1, next.nth)) continue
    if (near && isJoined(near, next)) put(valueIn(near.nth + 1, next.nth))
    else {
      end(next.nth)
      pieces = []
      ;[isQueryish, isSpaced, ending] = [false, false, '']
    }
    put(next.node)
    last = next
  }
  end(steps.length)
  return runs

  /** An address without quotes goes on nowhere. */
  function isBare({ node }: Text): boolean {
    return source.startsWith('http', node.start)
  }

  function put(piece: Literal | null): void {
    if (!piece) return
    const masked = maskHoles(piece)
    pieces.push(piece)
    isQueryish ||= queryish.test(masked)
    isSpaced ||= /\s/.test(masked)
    ending = (ending + masked).slice(-3)
  }

  function walk(group: Node): void {
    const { nodes, open } = group
    // Inside other brackets than braces a line ends nothing, and ; separates as a comma does.
    const isInList = /[[(]/.test(open)
    nodes.forEach((node, at) => {
      const { start, end } = node
      if (node.kind === 'group') {
        const isList = /[[{]/.test(node.open)
        if (joinsAll(node, nodes, at) || (joined.has(group) && isList)) joined.add(node)
        shape += '('
        steps.push({ group: node, start, end: start + 1 })
        walk(node)
        shape += ')'
        steps.push({ group: node, start: end - 1, end })
        return
      }
      if (node.kind === 'line' && isInList) return
      const { kind, text } = node
      const isSeparator =
        kind === 'text' &&
        /^[&|,]?$/.test(text) &&
        (joining.test(textOf(nodes[at + 2])) || (joined.has(group) && (at === 0 || at === nodes.length - 1)))
      if (kind === 'text' && !isSeparator) {
        texts.push({ node, group, nth: steps.length })
        if (clear.test(text))
          for (let each: Node | undefined = group; each && !clearGroups.has(each); each = each.parent)
            clearGroups.add(each)
      }
      // 'a' . $b, but not get('a').text, nor a sentence that ends
      const isDot = isSign(node, '.') && (isDotted || /^(?:.\.["'$]|\s\.\s)/.test(source.slice(start - 1, end + 1)))
      shape += isSeparator || isDot ? '+' : isInList && isSign(node, ';') ? ',' : letterOf(kind, text)
      steps.push({ start, end })
    })
  }

  function end(next: number): void {
    if (!last) return
    if (!isBare(last)) put(valueBehind(last, Math.min(next, last.nth + 1 + longestGap)))
    runs.push({ literal: join(pieces), group: last.group })
  }

  /** Whether a text belongs to an expression in the gap before it: to the arguments of a call, or to an index. */
  function isInside(from: number, to: number): boolean {
    return [...fold(shape.slice(from, to)).matchAll(/[wnve)]\(/g)].some(({ index }) => {
      const { group, start = 0 } = steps[from + index + 1] ?? {}
      const isApart = group?.open !== '(' && (steps[from + index]?.end ?? 0) < start
      return group && !isApart && !clearGroups.has(group)
    })
  }

  function isJoined(from: Text, to: Text): boolean {
    const gap = shape.slice(from.nth + 1, to.nth)
    const next = maskHoles(to.node)
    if (isBare(from)) return false
    if (/^https?:|^[\w./]*\?/.test(next) && (isSpaced || /^https?:/.test(next))) return false
    if (!isQueryish && !queryish.test(next)) return hasOperator(gap)
    const isOpen = isOpenEnded.test(ending)
    const isNext = goesOn.test(next) && isQueryish
    const isBroken = Array.from(gap).some((_, at) => isBreak(gap, at))
    if (hasOperator(gap) && !isBroken && !hasComma(gap)) return true
    if (ownPair.test(next)) return /[?&]$/.test(ending) && (!isBroken || isBuilt(gap))
    if (isBroken) return (isOpen || isNext) && isBuilt(gap)
    if (/[:=a>]/.test(gap)) return isNext
    const isList = joined.has(from.group) && joined.has(to.group)
    if (isList || isNext || hasComma(gap)) return isList || isNext
    return isQueryish && (isOpen || /^[\n)]*$/.test(gap))
  }

  /** The value of the program in a gap; null for none. */
  function valueIn(from: number, to: number): Literal | null {
    const ended = shape.slice(from, to).indexOf(';')
    const before = ended > 0 && from + ended < to - 1 ? valueIn(from, from + ended) : null
    if (before) return before
    const gap = shape.slice(from + ended + 1, to)
    const start = beforeValue.exec(gap)?.[0].length ?? 0
    const reversed = [...fold(gap.slice(start))].reverse().join('')
    const [behind = ''] = behindValueReversed.exec(reversed) ?? []
    const [begin, end] = [steps[to - gap.length + start]?.start, steps[to - behind.length - 1]?.end]
    return behind.length < reversed.length ? expression(source.slice(begin, end), begin ?? 0) : null
  }

  /** The value behind the last piece, up to the end of its expression. */
  function valueBehind({ group, nth }: Text, limit: number): Literal | null {
    if (!isQueryish) return null
    const from = nth + 1
    const after = fold(shape.slice(from, limit))
    const isList = joined.has(group)
    const isOpen = awaitsValue.test(ending)
    let end = 0
    for (; end < after.length && after[end] !== '('; end++) {
      const sign = after[end]
      const next = after.slice(end + 1)
      const isBuiltOn = (at: number) => isOpen && isBuilt(shape.slice(from + at, Math.min(limit, from + at + 8)))
      if (sign === ')') {
        // f("a") + b, but not f("a"), b.
        const isJoinedOn = /^(?:j:|[.:>wjn]*j[(v])/.test(next) || (!isList && /^[+b<]/.test(next))
        if (!isJoinedOn && !(isBreak(after, end + 1) && isBuiltOn(end + 1))) break
      }
      if (sign === ',' && !isList && (group.open !== '' || end > 0)) break
      if (isBreak(after, end) && !isBuiltOn(end)) break
    }
    if (after[end] === '(') end = after.length
    const [, call = ''] = /^[)\n]*(.*)/s.exec(after.slice(0, end)) ?? []
    const isMethod = /^[.:>][.:>wjn]*[wn][(ve]/.test(call)
    const isAdded = /^(?:[+b<].|[.:>][.:>wjn]*j[(v])/s.test(call)
    return call !== '' && !isMethod && (isAdded || isList || isOpen) ? valueIn(from, from + end) : null
  }
}

/** Whether brackets join all that is in them: `concat(…)`, `(str …)`, `[…].join('')`. */
function joinsAll({ nodes }: Node, siblings: readonly Node[], at: number): boolean {
  const [callee, first] = [siblings[at - 1], nodes[0]]
  const inside = textOf(first) === 'string' ? nodes[2] : first
  return (
    (callee?.kind === 'word' && joiningCall.test(textOf(callee))) ||
    (member.test(textOf(siblings[at + 1])) && joiningCall.test(textOf(siblings[at + 2]))) ||
    (inside?.kind === 'word' && joiningCall.test(textOf(inside)))
  )
}
