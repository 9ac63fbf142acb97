// The grammar of literals: how each begins and ends, what it escapes, and where a program's own values stand in it.
import { expression, join, type Literal, literalAt } from './literal.ts'

/** `few`: values marked alike everywhere; `all`: also those in brackets, as in double quotes; `braces`: each `{…}` too. */
type Holes = 'none' | 'few' | 'all' | 'braces'

type Form = {
  /** Where it begins, sticky. Its first group returns in the end. */
  open: RegExp
  close: (group: string) => string
  /** `\` escapes nothing. */
  isRaw?: true
  holes: Holes
  /** It may span lines. */
  isLong?: true
  /** Its `\` escapes few signs, and a second quote begins another literal. */
  isOfShell?: true
}

const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' }
const mirrored = (sign: string) => closing[sign] ?? sign
const same = (quote: string) => quote
/** What an address or a query begins with: other brackets are a program's own. */
const queryAhead = String.raw`(?=\s*(?:https?:|\/|[?&\w]+=|[$#]\{?[\w{]|\{))`

/**
 * By language: Python, Swift, Kotlin, Java, Scala; C++; Rust and Python; C#, VB and F#; … The first that ends counts. Runs of signs
 * have at most nine: each sign of a longer one would look through the rest of it.
 */
const forms: Form[] = [
  { open: /(?:[fFtT][rR]?|[rR][fFtT]|\${1,9})("{3,9}|''')/y, close: same, holes: 'braces', isLong: true },
  { open: /[a-zA-Z]{0,2}("{3,9}|''')/y, close: same, holes: 'all', isLong: true },
  { open: /(?:L|u8?|U)?R"(\w*)\(/y, close: tag => `)${tag}"`, isRaw: true, holes: 'none', isLong: true },
  { open: /[bc]?r?(#{1,9})"/y, close: signs => `"${signs}`, isRaw: true, holes: 'all', isLong: true },
  { open: /(?:[fFtT]|[fF][rRbB]|[rRbB][fF]|fmt|@\$|\${1,9}@?)(["'])/y, close: same, holes: 'braces' },
  { open: /@(")(?!\s*\n)/y, close: same, holes: 'all', isLong: true },
  { open: /@"(\s*\n)/y, close: () => '\n"@', holes: 'all', isLong: true },
  {
    open: /\[(=*)\[(?=[^"'`[\]\s][^\]]{0,500}\]\1\])/y,
    close: signs => `]${signs}]`,
    isRaw: true,
    holes: 'few',
    isLong: true,
  },
  { open: /\{(\w*)\|/y, close: tag => `|${tag}}`, isRaw: true, holes: 'none', isLong: true },
  { open: /(?:%Q|~s)([{([<|!/])/y, close: mirrored, holes: 'all', isLong: true },
  { open: /~S([{([<|!/])/y, close: mirrored, isRaw: true, holes: 'none', isLong: true },
  { open: /%q([{([<|!/])/y, close: mirrored, holes: 'none', isLong: true },
  { open: new RegExp(`(?:qq|%)([{([<|!/])${queryAhead}`, 'y'), close: mirrored, holes: 'all' },
  { open: new RegExp(`q([{([<|!/])${queryAhead}`, 'y'), close: mirrored, holes: 'none' },
  { open: /(\|)(?=https?:|\{ ?\w+ ?\}[/?])/y, close: same, holes: 'braces' },
  { open: /[a-zA-Z]{0,2}(")/y, close: same, holes: 'all' },
  { open: /[a-zA-Z]{0,2}(')/y, close: same, holes: 'few' },
  { open: /(`)/y, close: same, holes: 'all', isLong: true },
]

/** A shell's (POSIX.1-2024, Shell Command Language, 2.2). */
const ofShell: Form[] = [
  { open: /\$(')/y, close: same, holes: 'none', isLong: true },
  { open: /(')/y, close: same, isRaw: true, holes: 'none', isLong: true, isOfShell: true },
  { open: /(")/y, close: same, holes: 'all', isLong: true, isOfShell: true },
]

/** PowerShell escapes with a backtick. */
const backticks = /Invoke-|\[ordered\]|\b(?:irm|iwr)\b|\[uri\]|^PS |\$\w+ = @"/m
/** Lisp's `'` quotes no text. */
const lisp = /^\s*\((?!function|async|new|await)[a-z][^\s()"'`{}[\]]* /

/** Before another letter `\` is itself, as in languages without escapes: nobody asks for a bell or a backspace. */
const escapes =
  /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|(\r?\n[ \t]*)|([^a-zA-Z]|[ntr]))/y
/** The letters of escapes (ECMA-262, 12.9.4; Python Language Reference, 2.5.1). */
const letters: Record<string, string> = { n: '\n', t: '\t', r: '\r', 0: '\0' }

/** The signs at which something other than plain text may begin. */
const special = /[\\"'`$#{}%~@<>()[\]|/!\n]/g
/** A value without brackets: of a shell, Perl, PHP or Kotlin; of templates; of `printf`, `.format` and Lisp's `format`. */
const bare =
  /\$[a-z_]\w*(?:(?:->)?[[{][^\s&=[\]{}]{0,40}[\]}])*|\{\{[^{}\n]{0,80}\}\}|<%.{0,80}?%>|%(?:\(\w+\)|\d\$)?l*(?:[sv@]|[diu](?![\da-f]))|\{\w*(?:[:!][^{}\s]{0,20})?\}|~[aswp](?![a-z])/iy
const inBrackets = /[$#@]\{|\{(?=\$)|\$\(|\\#*\(/y
const simple = /[$#]\{/y
/** Two signs that stand for one where a literal has values that begin with it. */
const doubled = /\{\{|\}\}|\$\$|~~|%%/y

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
  const matches = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  return { literalFrom, holeAt }

  function literalFrom(at: number): Read | undefined {
    for (const form of isShell ? ofShell : forms) {
      form.open.lastIndex = at
      const opened = form.open.test(text) ? matches(form.open, at) : null
      if (!opened) continue
      const close = form.close(opened[1] ?? '')
      if (at < (unclosed.get(close) ?? 0)) continue
      if (close === '`' && hasBackticks) continue
      if (close === "'" && isLisp) continue
      const isLong = form.isLong || (close === "'" && hasBackticks)
      const read = readBody(at + opened[0].length, close, { ...form, ...(isLong && { isLong }) })
      if (read) return read
    }
    return undefined
  }

  function readBody(start: number, close: string, { isRaw, holes, isLong, isOfShell }: Form): Read | undefined {
    const pieces: Literal[] = []
    /** The second signs of doubled ones, by the sign. */
    const seconds = new Map<Literal, string>()
    const begun = new Set(holes === 'braces' ? '{' : '')
    const opening = Object.keys(closing).find(sign => closing[sign] === close)
    let [at, plain, depth] = [start, start, 0]
    const put = (end: number, next: number, piece?: Literal) => {
      if (end > plain) pieces.push(literalAt(text.slice(plain, end), plain))
      if (piece) pieces.push(piece)
      at = plain = next
    }
    for (;;) {
      special.lastIndex = at
      const sign = special.exec(text)?.[0]
      at = sign === undefined ? text.length : special.lastIndex - 1
      if (at > bound || (bound < text.length && steps++ > mostSteps)) return undefined
      if (sign === undefined || (sign === '\n' && !isLong)) {
        if (bound === text.length) unclosed.set(close, at)
        return undefined
      }
      if (sign === opening) depth++
      if (text.startsWith(close, at)) {
        // fish: 'it\'s'
        if (isOfShell && close === "'" && text[at - 1] === '\\' && /[^\s'\\]/.test(text[at + 1] ?? ' ')) {
          put(at - 1, at)
          at++
          continue
        }
        const isTwice = !isShell && /^["']$/.test(close) && at > start && text[at + 1] === close
        if (depth > 0) depth--
        else if (isTwice) {
          put(at + 1, at + 2)
          continue
        } else {
          put(at, at)
          const kept = pieces.filter(piece => !begun.has(seconds.get(piece) ?? ''))
          const [first = literalAt('', start), ...more] = kept
          return { literal: more.length === 0 ? first : join(kept), end: at + close.length }
        }
      }
      const end = holes === 'none' ? 0 : holeAt(at, holes)
      if (end > 0) {
        const hole = text.slice(at, end)
        begun.add(hole[0] ?? '')
        put(at, end, expression(hole, at))
        continue
      }
      const isEscape =
        sign === '\\' &&
        (!isRaw || (opening && [opening, close].includes(text[at + 1] ?? ''))) &&
        (!isOfShell || /["\\$`\r\n]/.test(text[at + 1] ?? ''))
      const escaped = isEscape ? matches(escapes, at) : null
      if (escaped || (hasBackticks && sign === '`' && holes !== 'few')) {
        put(
          at,
          at + (escaped?.[0].length ?? 2),
          escaped ? literalAt(decodeEscape(escaped), at) : literalAt(text[at + 1] ?? '', at + 1),
        )
      } else if (matches(doubled, at)) {
        const second = literalAt(text[at + 1] ?? '', at + 1)
        // `%%7C` is no encoding of anything else.
        const isPercent = sign === '%' && /^[\da-f]{2}/i.test(text.slice(at + 2, at + 4))
        seconds.set(second, sign === '}' ? '{' : sign)
        if (isPercent) put(at + 1, at + 2)
        else put(at + 1, at + 2, second)
      } else at++
    }
  }

  function holeAt(at: number, holes: Holes): number {
    if (holes === 'braces' && text.startsWith('{{', at)) return 0
    const open =
      holes === 'few'
        ? matches(simple, at)
        : (matches(inBrackets, at) ?? (holes === 'braces' && text[at] === '{' ? ['{'] : null))
    if (open) {
      const known = holeEnds.get(at) ?? endOfBrackets(at + open[0].length, open[0].endsWith('(') ? ')' : '}')
      holeEnds.set(at, known)
      if (known > 0 && (holes !== 'few' || !text.slice(at, known).includes('\\'))) return known
    }
    const found = matches(bare, at)
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

function decodeEscape([, point, unit, long, byte, line, sign = '']: RegExpExecArray): string {
  const code = Number.parseInt(point ?? unit ?? long ?? byte ?? '', 16)
  if (line !== undefined) return ''
  if (Number.isNaN(code)) return letters[sign] ?? sign
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
}
