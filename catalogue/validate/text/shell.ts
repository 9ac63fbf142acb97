// Commands that send a query, such as curl.

import {
  type Code,
  type CodePart,
  expression,
  join,
  type Literal,
  literalAt,
  matchAt,
  slice,
  within,
} from './literal.ts'
import { literalsOf } from './quoted.ts'

/** The places of commands in a shell; `http`, `https` and `xh` take pairs as words (HTTPie, "Request Items"). */
const command =
  /(?:(?:^|\n)(?:[\w@:~\\/. -]*(?:>|[$%!#](?=[ \t])))?|[|;&`(])[ \t]*(?:(?:sudo|time|command)[ \t]+)*(curl|wget|https?|xh)(?:\.exe)?(?:[ \t]|[\\^`]\r?\n)+(?=[-\w"'$/^])/

/** Long options with data: curl's, and wget's. */
const long = /^--(?:\w+-)?(?:data|query|form|json)(?:-(?!esc)\w+)?(?:=|$)/
/** `d` or `F`, after options without a value (curl's manual). */
const short = /^-[a-zA-Z]*?[dF]/
/** What an address may stand behind. */
const ofAddress = /^(?:--url=|\w+=(?=https?:|[$/]))?/
const item = /^([\w.[\]-]+)(?:==|:=|=)(?!=)/

export const isCommand = (text: string): boolean => command.test(text)

/** @returns null if no command sends data, or an address with data */
export function readCommand(text: string): Code | null {
  const tool = command.exec(text)?.[1]
  if (!tool) return null
  const words = readWords(text)
  const parts: CodePart[] = []
  const addresses: Literal[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Literal
    const option = (long.exec(word.text) ?? (tool === 'curl' ? short.exec(word.text) : null))?.[0]
    const [whole = '', name] = /^[hx]/.test(tool) ? (item.exec(word.text) ?? []) : []
    if (option) {
      const data = option === word.text ? words[++at] : slice(word, option.length)
      const equals = data?.text.indexOf('=') ?? -1
      if (!data || data.text.startsWith('@')) continue
      if (!/urlencode|form|url-query|F$/.test(option)) parts.push({ values: [data] })
      else if (equals >= 0)
        parts.push({ name: slice(data, 0, equals), isNameEncoded: true, values: [slice(data, equals + 1)] })
    } else if (name) parts.push({ name: slice(word, 0, name.length), values: [slice(word, whole.length)] })
    // `fetch(https://…`: a word of something else, behind a quote that does not end.
    else if (!/^[^?#]+https?:/.test(word.text.replace(ofAddress, '')))
      addresses.push(slice(word, ofAddress.exec(word.text)?.[0].length ?? 0))
  }
  return { addresses, parts }
}

/** Windows' command line escapes with `^`, before its programs read quotes. */
const withoutCarets = (text: string): Literal =>
  join(
    Array.from(text.matchAll(/\^(?:\r?\n|(\^))?|[^^]+/g), ({ index, 0: whole, 1: caret = '' }) =>
      whole.startsWith('^') ? literalAt(caret, index + 1) : literalAt(whole, index),
    ),
  )

/** The words of a command, unquoted. */
function readWords(given: string): Literal[] {
  const outer = /\^(?:["&%]|\r?\n)/.test(given) ? withoutCarets(given) : literalAt(given, 0)
  const { text } = outer
  const { literalFrom, holeAt } = literalsOf(text, true)
  const piece = /[\\`](?:\r?\n|$)|\\(.)|(\s+(?:[|;&>]\s*)*)|([^\s'"\\`$]+|[\s\S])/sy
  let word: Literal[] = []
  const words = [word]
  for (let at = 0; at < text.length; ) {
    const read = /["'$]/.test(text[at] ?? '') ? literalFrom(at) : undefined
    const hole = text[at] === '$' ? holeAt(at, 'all') : 0
    const [whole = ' ', sign, space, plain] = matchAt(piece, text, at) ?? []
    if (read) word.push(read.literal)
    else if (hole > 0) word.push(expression(text.slice(at, hole), at))
    else if (sign) word.push(literalAt(sign, at + 1))
    else if (space) {
      word = []
      words.push(word)
    }
    // A quote that never ends opens a word without being part of it.
    else if (plain && (word.length > 0 || !/["']/.test(plain))) word.push(literalAt(plain, at))
    at = read?.end ?? (hole || at + whole.length)
  }
  return words.filter(({ length }) => length > 0).map(pieces => within(outer, join(pieces)))
}
