// The grammar of literals: how each begins and ends, what it escapes, and where a program's own values stand in it.
import { expression, join, type Literal, literalAt, matchAt, slice } from './literal.ts'

/** `few`: values marked alike everywhere; `all`: also those in brackets, as in double quotes; `braces`: each `{…}` too. */
type Holes = 'none' | 'few' | 'all' | 'braces'

/** How a literal begins: it ends with the groups in reverse, brackets turned. `raw`: `\` escapes its own brackets at most. */
type Form = [open: RegExp, holes: Holes, escapes?: 'raw']

const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' }
/** What an address or a query begins with: other brackets are a program's own. */
const queryAhead = String.raw`(?=.\s*(?:https?:|\/|[?&\w]+=|[$#]\{?[\w{]|\{))`
const bracket = '([{([<|!/])'

/**
 * By language: PowerShell; C++; Rust and Swift; Lua; OCaml; Elixir; Ruby and Perl; ABAP; Python, C#, VB and F#; … The first that
 * ends counts. Runs of signs have at most nine: each sign of a longer one would look through the rest of it.
 */
const forms: Form[] = [
  [/(@)(")[^\S\n]*(\n)/y, 'all'],
  [/\w{0,2}R(")(\w*)(\()/y, 'none', 'raw'],
  [/[bc]?r?(#{1,9})(")/y, 'all', 'raw'],
  [/(\[)(=*)(\[)(?=[^"'`[\]\s][^\]]{0,500}\]\2\])/y, 'few', 'raw'],
  [/(\{)(\w*)(\|)/y, 'none', 'raw'],
  [new RegExp(`~S${bracket}`, 'y'), 'none', 'raw'],
  [new RegExp(`(?:%q|q${queryAhead})${bracket}`, 'y'), 'none'],
  [new RegExp(`(?:%Q|~s|(?:qq|%)${queryAhead})${bracket}`, 'y'), 'all'],
  [/(\|)(?=https?:|\{ ?\w+ ?\}[/?])/y, 'braces'],
  [/(?:[ft][rb]?|[rb][ft]|fmt|@\$|\${1,9}@?)("{3,9}|'''|["'])/iy, 'braces'],
  [/(?:(?:[a-z]{0,2}|@)(?!`))?("{3,9}|'''|["`])/iy, 'all'],
  [/[a-z]{0,2}(')/iy, 'few'],
]

/** A shell's (POSIX.1-2024, Shell Command Language, 2.2). */
const ofShell: Form[] = [
  [/\$(')/y, 'none'],
  [/(')/y, 'none', 'raw'],
  [/(")/y, 'all'],
]

/** PowerShell escapes with a backtick. */
const backticks = /Invoke-|\[ordered\]|\b(?:irm|iwr)\b|\[uri\]|^PS |\$\w+ = @"/m
/** Lisp's `'` quotes no text. */
const lisp = /^\s*\((?!function|async|new|await)[a-z][^\s()"'`{}[\]]* /

/** Before another letter `\` is itself, as in languages without escapes: nobody asks for a bell or a backspace. */
const escapes = /\\(?:u\{[\da-fA-F]{1,6}\}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|x[\da-fA-F]{2}|\r?\n[ \t]*|[^a-zA-Z]|[ntr])/y
/** The letters of escapes (ECMA-262, 12.9.4; Python Language Reference, 2.5.1). A line that goes on is none. */
const letters: Record<string, string> = { n: '\n', t: '\t', r: '\r', 0: '\0', '\r': '', '\n': '' }

/** The signs at which something other than plain text may begin. */
const special = /[\\"'`$#{}%~@<>()[\]|/!\n]/g
/** A value without brackets: of a shell, Perl, PHP or Kotlin; of templates; of `printf`, `.format` and Lisp's `format`. */
const bare =
  /\$[a-z_]\w*(?:(?:->)?[[{][^\s&=[\]{}]{0,40}[\]}])*|\{\{[^{}\n]{0,80}\}\}|<%.{0,80}?%>|%(?:\(\w+\)|\d\$)?l*(?:[sv@]|[diu](?![\da-f]))|\{\w*(?:[:!][^{}\s]{0,20})?\}|~[aswp](?![a-z])/iy
const inBrackets = { few: /[$#]\{/y, all: /[$#@]\{|\{(?=\$)|\$\(|\\#*\(/y, braces: /[$#@]?\{|\$\(|\\#*\(/y }
/** Two signs that stand for one where a literal has values that begin with it. `%%7C` is no encoding of anything else. */
const doubled = /\{\{|\}\}|\$\$|~~|%%([\da-f]{2})?/gi

/** Characters: nobody writes a longer value into a literal. */
const longestHole = 200

/** Signs in such values, in all: no program has more, and each may be looked at for every one around it. */
const mostSteps = 40_000

type Read = { literal: Literal; end: number }

type Reader = {
  /** A literal that begins at a place, if it ends. */
  literalFrom(at: number): Read | undefined
  /** The end of a value of the program that begins there, or 0. */
  holeAt(at: number, holes: Holes): number
}

/** A reader of the literals of a text, each in bounded time. */
export function literalsOf(text: string, isShell = false): Reader {
  /** By their ends: the place up to which there is none. */
  const unclosed = new Map<string, number>()
  const holeEnds = new Map<number, number>()
  /** Where the innermost value must end that is being read. */
  let bound = text.length
  let steps = 0
  const isLisp = !isShell && lisp.test(text)
  const hasBackticks = backticks.test(text)
  return { literalFrom, holeAt }

  function literalFrom(at: number): Read | undefined {
    for (const form of isShell ? ofShell : forms) {
      const opened = matchAt(form[0], text, at)
      if (!opened) continue
      const [whole, ...groups] = opened
      const close = groups.reduceRight((ends, group) => ends + (closing[group] ?? group), '')
      if (at < (unclosed.get(close) ?? 0) || (close === '`' && hasBackticks) || (close === "'" && isLisp)) continue
      const read = readBody(at, at + whole.length, close, form)
      if (read) return read
    }
    return undefined
  }

  function readBody(opening: number, start: number, close: string, [, holes, raw]: Form): Read | undefined {
    const isLong = isShell || text[opening] === '@' || !/^["'|]$/.test(close) || (close === "'" && hasBackticks)
    const bracket = closing[text[start - 1] ?? ''] === close ? text[start - 1] : undefined
    const escapable = raw ? [bracket, bracket && close] : isShell && start - opening === 1 ? '"\\$`\r\n' : undefined
    const pieces: Literal[] = []
    /** The signs with which its values begin. */
    let begun = holes === 'braces' ? '{' : ''
    let [at, plain, depth] = [start, start, 0]
    const put = (end: number, next: number, piece?: Literal) => {
      if (end > plain) pieces.push(literalAt(text.slice(plain, end), plain))
      if (piece) pieces.push(piece)
      at = plain = next
    }
    for (;;) {
      const found = matchAt(special, text, at)
      at = found?.index ?? text.length
      const sign = text[at]
      if (at > bound || (bound < text.length && steps++ > mostSteps)) return undefined
      if (sign === undefined || (sign === '\n' && !isLong)) {
        if (bound === text.length) unclosed.set(close, at)
        return undefined
      }
      const next = text[at + 1] ?? ''
      if (sign === bracket) depth++
      if (text.startsWith(close, at) && depth-- <= 0) {
        // fish: 'it\'s'
        const isFish = isShell && raw && text[at - 1] === '\\' && /[^\s'\\]/.test(next)
        const isTwice = !isShell && /^["']$/.test(close) && at > start && next === close
        if (isTwice) put(at + 1, at + 2)
        else if (isFish) {
          put(at - 1, at)
          at++
        } else {
          pieces.push(literalAt(text.slice(plain, at), plain))
          return { literal: halveSigns(join(pieces), begun), end: at + close.length }
        }
        continue
      }
      const end = holeAt(at, holes)
      const escaped = sign === '\\' && (escapable?.includes(next) ?? true) ? matchAt(escapes, text, at) : null
      if (end > 0) {
        begun += sign
        put(at, end, expression(text.slice(at, end), at))
      } else if (escaped) put(at, at + escaped[0].length, literalAt(decodeEscape(escaped[0]), at))
      else if (hasBackticks && sign === '`' && holes !== 'few') put(at, at + 2, literalAt(next, at + 1))
      else at++
    }
  }

  function holeAt(at: number, holes: Holes): number {
    if (holes === 'none' || (holes === 'braces' && text.startsWith('{{', at))) return 0
    const open = matchAt(inBrackets[holes], text, at)?.[0]
    if (open) {
      const known = holeEnds.get(at) ?? endOfBrackets(at + open.length, open.endsWith('(') ? ')' : '}')
      holeEnds.set(at, known)
      if (known > 0 && (holes !== 'few' || !text.slice(at, known).includes('\\'))) return known
    }
    const found = matchAt(bare, text, at)
    return found ? at + found[0].length : 0
  }

  function endOfBrackets(start: number, close: string): number {
    const open = close === ')' ? '(' : '{'
    const outer = bound
    bound = Math.min(bound, start + longestHole)
    let depth = 0
    let end = 0
    for (let at = start; at < bound && end === 0 && steps++ < mostSteps; at++) {
      const sign = text[at]
      if (sign === '"' || sign === "'" || sign === '`') at = (literalFrom(at)?.end ?? at + 1) - 1
      else if (sign === open) depth++
      else if (sign === close && depth-- === 0) end = at + 1
    }
    bound = outer
    return end
  }
}

function halveSigns(literal: Literal, begun: string): Literal {
  const parts: Literal[] = []
  let from = 0
  for (const { index, 0: sign, 1: byte } of literal.text.matchAll(doubled)) {
    const isOne = byte !== undefined || begun.includes(sign === '}}' ? '{' : sign.slice(1))
    if (!isOne || literal.marks[index] === 'x') continue
    parts.push(slice(literal, from, index + 1))
    from = index + 2
  }
  return join([...parts, slice(literal, from)])
}

function decodeEscape(escaped: string): string {
  const sign = escaped[1] ?? ''
  if (!/[ux]/i.test(sign)) return letters[sign] ?? sign
  const code = Number.parseInt(escaped.slice(2).replace('{', ''), 16)
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
}
