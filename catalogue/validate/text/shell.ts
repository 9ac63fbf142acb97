// Commands that send a query, such as curl.

import { type Code, type CodePart, expression, join, type Literal, literalAt, slice, within } from './literal.ts'
import { literalsOf } from './quoted.ts'

/** The places of commands in a shell; `http`, `https` and `xh` take pairs as words (HTTPie, "Request Items"). */
const command =
  /(?:^|[|;&`(]|\n)[ \t]*(?:[$%>!#][ \t]+|(?:PS )?[A-Z]:\\[^>\n]*>[ \t]*)?(?:(?:sudo|time|command)[ \t]+)*(curl|wget|https?|xh)(?:\.exe)?(?:[ \t]|[\\^`]\r?\n)+(?=[-\w"'$/^])/

/** Long options with data: curl's, and wget's. */
const long = /^--(?:data(?:-raw|-ascii|-binary|-urlencode)?|url-query|form(?:-string)?|json|post-data|body-data)(?:=|$)/
/** `d` or `F`, after options without a value (curl's manual). */
const short = /^-[a-zA-Z]*?[dF]/
const item = /^([\w.[\]-]+)(?:==|:=|=)(?!=)/

export const isCommand = (text: string): boolean => command.test(text)

/** @returns null if no command sends data, or an address with data */
export function readCommand(text: string): Code | null {
  const tool = command.exec(text)?.[1]
  if (!tool) return null
  const words = readWords(text)
  const parts: CodePart[] = []
  const addresses: Literal[] = []
  const add = (option: string, data: Literal | undefined) => {
    if (!data || data.text.startsWith('@')) return
    const [, name = ''] = /^([^=@]*)=/.exec(data.text) ?? []
    const isEncoded = /urlencode|form|url-query|F$/.test(option)
    if (!isEncoded) parts.push({ query: data })
    else if (data.text.includes('=')) {
      const start = name.length + 1
      parts.push({ name: slice(data, 0, name.length), isNameEncoded: true, values: [slice(data, start)] })
    }
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Literal
    const option = (long.exec(word.text) ?? (tool === 'curl' ? short.exec(word.text) : null))?.[0]
    const isWhole = option === word.text
    const [, pair] = /^https?$|^xh$/.test(tool) ? (item.exec(word.text) ?? []) : []
    if (option) add(option.replace('=', ''), isWhole ? words[++at] : slice(word, option.length))
    else if (pair !== undefined) {
      const [whole = ''] = item.exec(word.text) ?? []
      parts.push({ name: slice(word, 0, pair.length), values: [slice(word, whole.length)] })
    } else addresses.push(slice(word, /^(?:--url=|\w+=(?=https?:|[$/]))?/.exec(word.text)?.[0].length ?? 0))
  }
  // `fetch(https://…`: a word of something else, behind a quote that does not end.
  return { addresses: addresses.filter(({ text }) => !/^[^?#]+https?:/.test(text)), parts }
}

/** Windows' command line escapes with `^`, before its programs read quotes. */
const carets = /\^(?:(\r?\n)\r?\n|\r?\n|([\s\S]))/g

function withoutCarets(text: string): Literal {
  const parts: Literal[] = []
  let last = 0
  for (const { index, 0: whole, 1: line, 2: sign = '' } of text.matchAll(carets)) {
    parts.push(literalAt(text.slice(last, index), last), literalAt(line ?? sign, index + 1))
    last = index + whole.length
  }
  return join([...parts, literalAt(text.slice(last), last)])
}

/** The words of a command, unquoted. */
function readWords(given: string): Literal[] {
  const outer = /\^(?:["&%]|\r?\n)/.test(given) ? withoutCarets(given) : undefined
  const text = outer?.text ?? given
  const { literalFrom, holeAt } = literalsOf(text, true)
  const piece = /[\\`]\r?\n|\\(.)|(\s+(?:[|;&>]\s*)*)|([^\s'"\\`$]+|[\s\S])/sy
  const words: Literal[] = []
  let word: Literal[] = []
  const end = () => {
    if (word.length > 0) words.push(outer ? within(outer, join(word)) : join(word))
    word = []
  }
  for (let at = 0; at < text.length; ) {
    const read = /["'$]/.test(text[at] ?? '') ? literalFrom(at) : undefined
    const hole = text[at] === '$' ? holeAt(at, 'all') : 0
    piece.lastIndex = at
    const [whole = '', sign, space, plain] = piece.exec(text) ?? []
    if (read) word.push(read.literal)
    else if (hole > at) word.push(expression(text.slice(at, hole), at))
    else if (space !== undefined) end()
    else if (sign !== undefined) word.push(literalAt(sign, at + 1))
    // A quote that never ends opens a word without being part of it.
    else if (plain !== undefined && !(word.length === 0 && /["']/.test(plain))) word.push(literalAt(plain, at))
    at = read?.end ?? (hole > at ? hole : at + Math.max(1, whole.length))
  }
  end()
  return words
}
