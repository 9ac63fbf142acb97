/** The forms of attributes: what an item stores, and the member of an account that it stands for. */

/** Converts one to the other, and back. Undefined is stored where an item lacks the attribute. */
interface Form<Stored, Value> {
  read: (stored: Stored) => Value
  write: (value?: Value) => Stored | undefined
}

const same = { read: <T>(stored: T): T => stored, write: <T>(value?: T): T | undefined => value }
export const text: Form<string, string> = same
export const number: Form<number, number> = same
export const flag: Form<boolean, boolean> = same
export const nullableText: Form<string | null, string | null> = same

const optional = {
  read: <T>(stored?: T): T | null => stored ?? null,
  write: <T>(value?: T | null) => value ?? undefined,
}
export const optionalText: Form<string | undefined, string | null> = optional
export const optionalNumber: Form<number | undefined, number | null> = optional
export const optionalBytes: Form<Uint8Array | undefined, Uint8Array | null> = optional

export const optionalFlag: Form<true | undefined, boolean> = {
  read: stored => stored ?? false,
  write: value => value || undefined,
}

export const optionalTexts: Form<readonly string[] | undefined, readonly string[]> = {
  read: stored => stored ?? [],
  write: value => (value?.length ? value : undefined),
}

/** DynamoDB has no empty sets. */
export const optionalSet: Form<Set<string> | undefined, readonly string[]> = {
  read: stored => [...(stored ?? [])],
  write: value => (value?.length ? new Set(value) : undefined),
}

export const toDate = (stored?: string): Date | null => (stored ? new Date(stored) : null)
const write = (value?: Date | null) => value?.toISOString()
export const time: Form<string, Date> = { read: stored => new Date(stored), write }
export const optionalTime: Form<string | undefined, Date | null> = { read: toDate, write }
