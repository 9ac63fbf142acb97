// Commands that send a query, such as curl.

import { type Code, type CodePart, join, type Literal, literalAt, readEscapes, slice } from './literal.ts'

/** The places of commands in a shell; `http`, `https` and `xh` take pairs as words (HTTPie, "Request Items"). */
const command =
  /(?:^|[|;&`(]|\n)[ \t]*(?:[$%>!#][ \t]+)?(?:(?:sudo|time|command)[ \t]+)*(curl|wget|https?|xh)(?:\.exe)?[ \t]+(?=[-\w"'$/])/

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
    } else addresses.push(slice(word, /^(?:--url=|\w+=(?=https?:))?/.exec(word.text)?.[0].length ?? 0))
  }
  return { addresses, parts }
}

/** The words of a command, unquoted (POSIX.1-2024, Shell Command Language, 2.2 and 2.3). */
function readWords(text: string): Literal[] {
  const piece =
    /\$'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)"|[\\^`]\r?\n|\\(.)|(\s+(?:[|;&>]\s*)*)|([^\s'"\\^`]+|.)/sy
  const words: Literal[] = []
  let word: Literal[] = []
  const end = () => {
    if (word.length > 0) words.push(join(word))
    word = []
  }
  let at = 0
  while (at < text.length) {
    // Between single quotes a backslash is literal, except after a dollar sign.
    const close = text[at] === "'" ? text.indexOf("'", at + 1) : -1
    if (close >= 0) {
      word.push(literalAt(text.slice(at + 1, close), at + 1))
      at = close + 1
      continue
    }
    piece.lastIndex = at
    const [whole = '', ansi, double, sign, space, plain] = piece.exec(text) ?? [text.slice(at)]
    if (space !== undefined) end()
    else if (ansi !== undefined) word.push(readEscapes(ansi, at + 2))
    else if (double !== undefined) word.push(marked(unescapeDouble(double, at + 1)))
    else if (sign !== undefined) word.push(literalAt(sign, at + 1))
    else if (plain !== undefined) word.push(marked(literalAt(plain, at)))
    at += whole.length
  }
  end()
  return words
}

function unescapeDouble(raw: string, source: number): Literal {
  const parts = [...raw.matchAll(/\\(?:\r?\n|(["\\$`]))|[^\\]+|\\/g)]
  return join([
    literalAt('', source),
    ...parts.map(({ index, 0: whole, 1: sign }) =>
      literalAt(sign ?? (/^\\\r?\n/.test(whole) ? '' : whole), source + index + (sign ? 1 : 0)),
    ),
  ])
}

/** A word that is or ends in a variable is known to the shell alone. */
const marked = (literal: Literal): Literal =>
  /\$(?:\{?\w+\}?|\()/.test(literal.text) ? { ...literal, open: 'part' } : literal
