import type { Mark, Results } from '../../catalogue/explorer/client/search/results.ts'
import type { Search } from '../../catalogue/explorer/client/search/search-box.tsx'
import { once } from '../../shared/prebuilt/pack.ts'

/** A named place on the page. */
interface Entry {
  id: string
  title: string
  /** Its kind: `POST /auth/login`, `shape`. */
  kind: string
  /** Its title, id and kind, and the heading of its section, in lower case. */
  names: string
  /** Its whole text, in lower case. */
  text: string
}

/** As many lines as a person looks through. Typing more narrows them down. */
const maxRows = 30

/** Reads the places from the page: those with `data-kind`. */
const readEntries = once((): Entry[] =>
  [...document.querySelectorAll<HTMLElement>('[data-kind]')].map(element => {
    const { id, dataset, textContent } = element
    const title = element.querySelector('.anchor')?.textContent ?? ''
    const kind = dataset.kind ?? ''
    const section = element.closest('section')?.querySelector('h2')?.textContent ?? ''
    const names = `${title} ${id} ${kind} ${section}`.toLowerCase()
    return { id, title, kind, names, text: textContent.toLowerCase() }
  }),
)

export const search: Search = {
  label: 'Search operations, codes, shapes and settings',
  prepare: readEntries,
  find: (typed): Results => {
    const words = wordsOf(typed)
    const found = rank(words, readEntries())
    const rows = found.slice(0, maxRows).map(entry => ({
      match: { text: entry.title, marks: marksOf(words, entry.title.toLowerCase()), entry },
      why: entry.kind,
      href: `#${entry.id}`,
    }))
    return { rows, total: found.length, shown: rows.length }
  },
  sayNothing: typed => `Nothing here says ${typed}.`,
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Other words that people type for a name here: each is a prefix of the typed word. */
const synonyms: readonly (readonly [typed: string, meant: string])[] = [
  ['sign up', 'register'],
  ['signup', 'register'],
  ['create account', 'register'],
  ['new user', 'register'],
  ['sign in', 'log in'],
  ['signin', 'log in'],
  ['log on', 'log in'],
  ['authenticate', 'log in'],
  ['sign out', 'log out'],
  ['signout', 'log out'],
  ['2fa', 'second factor'],
  ['mfa', 'second factor'],
  ['otp', 'second factor'],
  ['totp', 'second factor'],
  ['authenticator', 'second factor'],
  ['two factor', 'second factor'],
  ['two-factor', 'second factor'],
  ['backup code', 'recovery codes'],
  ['forgot', 'forgot password'],
  ['lost password', 'forgot password'],
  ['confirm email', 'verify email'],
  ['activate', 'verify email'],
  ['profile', 'get account'],
  ['whoami', 'get account'],
  ['remove account', 'delete account'],
  ['close account', 'delete account'],
  ['device', 'sessions'],
  ['jwt', 'access token'],
  ['bearer', 'access token'],
  ['jwks', 'signing keys'],
  ['public key', 'signing keys'],
  ['rate limit', 'too-many-requests'],
  ['throttl', 'too-many-requests'],
  ['brute force', 'account-locked'],
  ['environment', 'setting'],
  ['cors', 'origin-not-allowed'],
]

/** A shorter word matches only where words begin: inside others it matches by chance. */
const shortestWithin = 4

/** The places with every word: first exact names, then beginnings of titles, then synonyms, then names, then text. */
function rank(words: readonly string[], entries: readonly Entry[]): Entry[] {
  if (words.length === 0) return []
  const typed = words.join(' ')
  const isIn = (text: string) => (word: string) =>
    word.length < shortestWithin
      ? ` ${text}`.split(word).some((_, at, parts) => at > 0 && /[^a-z\d]$/.test(parts[at - 1] ?? ''))
      : text.includes(word)
  const byNames = (words: readonly string[]) =>
    [
      ({ title, id }: Entry) => [title.toLowerCase(), id].includes(words.join(' ')),
      ({ title }: Entry) => title.toLowerCase().startsWith(words.join(' ')),
      ({ names }: Entry) => words.every(isIn(names)),
    ] as const
  const [isNamed, begins, holds] = byNames(words)
  const meant = synonyms.filter(([each]) => typed.startsWith(each)).flatMap(([, meaning]) => byNames(wordsOf(meaning)))
  const matchers = [
    isNamed,
    begins,
    ...meant,
    holds,
    ({ names, text }: Entry) => words.every(word => isIn(names)(word) || isIn(text)(word)),
  ]
  return [...new Set(matchers.flatMap(matches => entries.filter(matches)))]
}

/** The positions of the words in a title, from left to right, each letter once. */
function marksOf(words: readonly string[], title: string): Mark[] {
  const marks = words.map((word): Mark => [title.indexOf(word), title.indexOf(word) + word.length])
  const inOrder = marks.filter(([start]) => start >= 0).sort(([a], [b]) => a - b)
  return inOrder.filter(([start], index) => index === 0 || start >= (inOrder[index - 1]?.[1] ?? 0))
}
