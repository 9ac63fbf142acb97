// Hides the parts of a pasted text that must not be stored or copied: secrets, and credentials in an address.
import { decode } from '../../../validate/text/encoding.ts'
import { isSensitive, type Pair, textOf } from '../../../validate/text/pairs.ts'
import { effectivePairs, frame, isCode, plainText, readPairs } from '../../../validate/text/query.ts'

export const hidden = '***'

/** A letter or sign, plain or percent-encoded once or several times. */
const spell = (sign: string): string => {
  const code = sign.charCodeAt(0)
  const codes = [code, sign.toUpperCase().charCodeAt(0)].map(code => code.toString(16))
  return `(?:${sign}|%(?:25)*(?:${codes.join('|')}))`
}
const spelledWord = (word: string): string => [...word].map(spell).join('')

/** The check treats `token` alone as sensitive; `password` is this page's own caution. */
const words = `(?:${['token', 'password'].map(spelledWord).join('|')})`
const secretWord = new RegExp(words, 'i')

/**
 * A secret inside another text, such as `wltoken=SECRET` in a search or on its own line, up to the secret. Quotes and
 * spaces may surround the name's end. The bounds, well above real names, keep the time linear.
 */
const secretWithin = new RegExp(
  `${words}[\\w-]{0,30}(?:["'\\s+]|%(?:25)*(?:20|22|27)){0,4}(?:${spell('=')}|${spell(':')})(?=[^])`,
  'i',
)

/**
 * The text without its secrets: values of sensitive names, also inside other values, `user:password@` in an address,
 * and the fragment of an address. A text without secrets stays byte for byte.
 */
export function hideSecrets(given: string): string {
  const text = withoutCode(given)
  const { before, query, after } = frame(text)
  const secret = readPairs(text).filter(hasSecret)
  let shown = bareAddress(before)
  let at = before.length
  for (const pair of secret) {
    shown += text.slice(at, pair.start) + hideValue(pair)
    at = pair.spans.value[1]
  }
  shown += text.slice(at, before.length + query.length)
  const isAddress = before.trim() !== ''
  return shown + bareFragment(after, isAddress || secret.length > 0 || hasSecretWord(after))
}

/** Code may contain secrets beside its query, such as headers, so unread code is dropped. A single object without secrets stays. */
function withoutCode(text: string): string {
  if (!isCode(text)) return text
  const plain = plainText(text)
  const isObject = plain !== '' && /^[^("'`{[]*[{[][^(]*$/.test(text) && !/https?:/.test(text)
  return isObject && !readPairs(plain).some(hasSecret) && !hasSecretWord(text) ? text : plain
}

/** The names of secrets: those with a value, and those with only the mask. */
export function secretNames(text: string): { there: string[]; gone: string[] } {
  const secret = [...effectivePairs(text).values()].filter(pair => pair.value !== '' && hasSecret(pair))
  const namesOf = (isGone: boolean) =>
    secret.filter(pair => (hideValue(pair) === textOf(pair)) === isGone).map(({ name }) => name)
  return { there: namesOf(false), gone: namesOf(true) }
}

const hasSecret = (pair: Pair): boolean =>
  isSecretName(pair) || secretWithin.test(pair.rawValue ?? '') || secretWithin.test(pair.value)

const isSecretName = ({ name, rawName }: Pair): boolean =>
  isSensitive(name) || secretWord.test(name) || secretWord.test(rawName)

const hasSecretWord = (raw: string): boolean => secretWord.test(raw) || secretWord.test(decode(raw).text)

/**
 * The pair without its secret. In `wltoken%3DSECRET` the whole is a name, of which only the first word is shown. The
 * same holds for a name encoded more than three times.
 */
function hideValue(pair: Pair): string {
  const { name, rawName, rawValue } = pair
  const written = rawValue ?? ''
  if (!isSecretName(pair)) {
    const found = secretWithin.exec(written)
    return `${rawName}=${found ? written.slice(0, found.index + found[0].length) : ''}${hidden}`
  }
  const isWord = /^[\w.-]*$/.test(decode(decode(name).text).text)
  if (isWord && written === '') return textOf(pair)
  return `${isWord ? rawName : (/^\w*/.exec(name)?.[0] ?? '')}=${hidden}`
}

/** The address before a query, without credentials. If they cannot be separated, only its `?`. */
function bareAddress(before: string): string {
  if (hasSecretWord(before)) return '?'
  if (!before.includes('@')) return before
  const address = before.trim()
  try {
    const url = new URL(address.startsWith('//') ? `https:${address}` : address)
    // A URL parser takes the user of `user:password@host` for a scheme.
    if (url.host === '') return '?'
    if (url.username === '' && url.password === '') return before
    url.username = ''
    url.password = ''
    return url.href
  } catch {
    return '?'
  }
}

/**
 * A fragment may be the rest of a secret with a `#`, or part of an address. Its `#` stays: otherwise white space before
 * it would no longer belong to the query.
 */
const bareFragment = (fragment: string, isSecret: boolean): string =>
  isSecret && fragment.startsWith('#') ? '#' : fragment
