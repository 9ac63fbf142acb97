// What of a pasted text must not be kept or copied: secrets, and who somebody is at the address that they pasted.
import { decode } from '../../../validate/text/encoding.ts'
import { frame, isSensitive, type Pair, readPairs, textOf } from '../../../validate/text/pairs.ts'

/** Stands for a secret. */
export const hidden = '***'

/**
 * The text without its secrets: the values of sensitive names, `user:password@` in an address, and the fragment of an
 * address. A text that has none comes back byte for byte.
 */
export function hideSecrets(text: string): string {
  const { before, query, after } = frame(text)
  const secret = readPairs(text).filter(({ name }) => isSensitive(name))
  let shown = bareAddress(before)
  let at = before.length
  for (const pair of secret) {
    shown += text.slice(at, pair.start) + hideValue(pair)
    at = pair.start + textOf(pair).length
  }
  shown += text.slice(at, before.length + query.length)
  const isAddress = before.trim() !== ''
  return shown + bareFragment(after, isAddress || secret.length > 0 || isSensitive(decode(after).text))
}

/** The names whose values are secrets, each once. */
export function secretNames(text: string): string[] {
  const secret = readPairs(text).filter(({ name, value }) => isSensitive(name) && value !== '')
  return [...new Set(secret.map(({ name }) => name))]
}

/** In `wltoken%3Dsecret` the whole is a name: of such a one only its first word is shown. */
function hideValue(pair: Pair): string {
  const isWord = /^[\w.-]*$/.test(pair.name)
  if (isWord && !pair.rawValue) return textOf(pair)
  return `${isWord ? pair.rawName : (/^\w*/.exec(pair.name)?.[0] ?? '')}=${hidden}`
}

/** The address before a query, without who somebody is there. Where that cannot be told apart, its `?` alone. */
function bareAddress(before: string): string {
  if (isSensitive(decode(before).text)) return '?'
  if (!before.includes('@')) return before
  const address = before.trim()
  try {
    const url = new URL(address.startsWith('//') ? `https:${address}` : address)
    // Of `user:password@host`, the user is a scheme to a parser of URLs.
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
 * A fragment may be the rest of a secret that holds a `#`, or have come with an address. Its `#` stays: without it, white
 * space in front of it would be none of the query's.
 */
function bareFragment(fragment: string, isSecret: boolean): string {
  return isSecret && fragment.startsWith('#') ? '#' : fragment
}
