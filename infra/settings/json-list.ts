/** Settings that are a JSON array of objects, and what is wrong with them, said by entry and member. */

/** An entry as its setting states it, unchecked. */
export type Unchecked<E> = { [M in keyof E]?: unknown }

/** What each member must be. Gives what is wrong with a value, or null. */
export type Members<E> = { readonly [M in keyof E]-?: (value: unknown, entry: Unchecked<E>) => string | null }

interface Kind<E> {
  /** What an entry is. */
  noun: string
  /** Whether an entry is called by this id in complaints; otherwise it is by its place. */
  isId: (id: unknown) => id is string
  members: Members<E>
  /** What an entry must not share with those before it, and does. */
  repeated: (entry: Unchecked<E>, before: readonly Unchecked<E>[]) => string[]
  most?: number
}

/** Reads such a list. @returns what is wrong with it, if it is not valid */
export function readJsonList<E extends { id: string }>(text: string, kind: Kind<E>): readonly E[] | string {
  const { noun, isId, members, repeated, most = Number.POSITIVE_INFINITY } = kind
  const isEntry = (value: unknown): value is Unchecked<E> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = jsonOf(text)
  if (!Array.isArray(entries)) return 'it is not a JSON array'
  if (entries.length > most) return `it has ${entries.length} entries, and ${most} at most`
  const wrong = entries.flatMap((entry: unknown, i) => {
    const name = isEntry(entry) && isId(entry.id) ? entry.id : `${noun} ${i + 1}`
    if (!isEntry(entry)) return [`${name} must be an object`]
    const before = entries.slice(0, i).filter(isEntry)
    return [...wrongMembers(entry, members), ...repeated(entry, before)].map(what => `${name}: ${what}`)
  })
  return wrong.length > 0 ? wrong.join('; ') : entries
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const wrongMembers = <E>(entry: Unchecked<E>, members: Members<E>): string[] => [
  ...Object.keys(entry)
    .filter(name => !Object.hasOwn(members, name))
    .map(name => `there is no member ${JSON.stringify(name)}, but ${Object.keys(members).join(', ')}`),
  ...(Object.keys(members) as (keyof E & string)[]).flatMap(name => {
    const wrong = members[name](entry[name], entry)
    return wrong === null ? [] : [`${name}: ${wrong}`]
  }),
]
