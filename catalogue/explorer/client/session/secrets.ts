// Hides what must not be kept or copied of a pasted text: secrets, and the user and password in an address.
import { decode } from '../../../validate/text/encoding.ts'
import { isSensitive, type Pair, textOf } from '../../../validate/text/pairs.ts'
import { effectivePairs, frame, isCode, plainText, readPairs } from '../../../validate/text/query.ts'

export const hidden = '***'

/** A letter or sign as it may be written: as it is, or percent-encoded once or several times over. */
const spelled = (sign: string): string => {
  const code = sign.charCodeAt(0)
  const codes = [code, sign.toUpperCase().charCodeAt(0)].map(code => code.toString(16))
  return `(?:${sign}|%(?:25)*(?:${codes.join('|')}))`
}
const spelledWord = (word: string): string => [...word].map(spelled).join('')

/** The check counts `token` alone as sensitive; `password` is the page's own caution. */
const words = `(?:${['token', 'password'].map(spelledWord).join('|')})`
const secretWord = new RegExp(words, 'i')

/**
 * A secret inside another text, `wltoken=SECRET` in a search or on a line of its own, up to the secret. Quotes and spaces
 * may stand around the name's end. The bounds, well above what names have, keep the time linear.
 */
const secretWithin = new RegExp(
  `${words}[\\w-]{0,30}(?:["'\\s+]|%(?:25)*(?:20|22|27)){0,4}(?:${spelled('=')}|${spelled(':')})(?=[^])`,
  'i',
)

/**
 * The text without its secrets: the values of sensitive names, what follows such a name inside another value,
 * `user:password@` in an address, and the fragment of an address. A text that has none comes back byte for byte.
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

/**
 * Code may hold secrets beside its query, such as those of headers, and none that is not read is kept. An object alone
 * stays as it is where it has no secret.
 */
function withoutCode(text: string): string {
  if (!isCode(text)) return text
  const plain = plainText(text)
  const isObject = plain !== '' && /^[^("'`{[]*[{[][^(]*$/.test(text) && !/https?:/.test(text)
  return isObject && !readPairs(plain).some(hasSecret) && !hasSecretWord(text) ? text : plain
}

/** The names whose values are secrets, each once: those that are there, and those of which only the mask is. */
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
 * The pair without its secret. In `wltoken%3DSECRET` the whole is a name: of such a one only its first word is shown, and
 * so it is with a name that is encoded more than three times over.
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

/** The address before a query, without user and password. If they cannot be told apart, its `?` alone. */
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
 * A fragment may be the rest of a secret that holds a `#`, or part of an address. Its `#` stays: without it, white space
 * before it would no longer belong to the query.
 */
const bareFragment = (fragment: string, isSecret: boolean): string =>
  isSecret && fragment.startsWith('#') ? '#' : fragment
