import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { isObject, type Stated } from './checks.ts'

interface Kind<E> {
  noun: string
  /** Whether complaints call an entry by this id; otherwise by its position. */
  isId: (id: unknown) => id is string
  membersOf: (stated: Stated) => Members<E>
  /** The defaults of optional members. */
  usual: Partial<E>
  /** Values that must be unique but occur in an earlier entry. */
  repeated: (stated: Stated, before: readonly Stated[]) => string[]
  most?: number
}

/** The schema of each member. */
export type Members<E> = { readonly [M in keyof E]-?: v.GenericSchema<unknown, E[M]> }

/** Reads a setting that is a JSON array of objects. @returns the complaints by entry and member, if it is not valid */
export function readJsonList<E>(text: string, kind: Kind<E>): readonly E[] | string {
  const { noun, isId, membersOf, usual, repeated, most = Number.POSITIVE_INFINITY } = kind
  const list = v.safeParse(v.pipe(v.string(), v.parseJson(), v.array(v.unknown())), text)
  if (!list.success) return 'it is not a JSON array'
  if (list.output.length > most) return `it has ${list.output.length} entries, and ${most} at most`
  const wrong: string[] = []
  const entries = list.output.map((stated, i, all) => {
    const called = isObject(stated) && isId(stated.id) ? stated.id : `${noun} ${i + 1}`
    if (!isObject(stated)) return wrong.push(`${called} must be an object`)
    const members = Object.entries<v.GenericSchema>(membersOf(stated))
    const known = members.map(([name]) => inSnakeCase(name))
    const unknown = Object.keys(stated).filter(name => !known.includes(name))
    const complaints = unknown.map(name => `there is no member ${JSON.stringify(name)}, but ${known.join(', ')}`)
    const entry = members.map(([name, schema]) => {
      const value = stated[inSnakeCase(name)]
      if (value === undefined && name in usual) return [name, usual[name as keyof E]]
      const { output, issues } = v.safeParse(schema, value, { abortPipeEarly: true })
      if (issues) complaints.push(`${inSnakeCase(name)}: ${issues.map(({ message }) => message).join(', ')}`)
      return [name, output]
    })
    complaints.push(...repeated(stated, all.slice(0, i).filter(isObject)))
    wrong.push(...complaints.map(what => `${called}: ${what}`))
    return Object.fromEntries(entry)
  })
  return wrong.length > 0 ? wrong.join('; ') : (entries as E[])
}

/** An entry in the setting's form, without defaults. */
export const stateEntry = <E extends object>(entry: E, usual: object): Stated =>
  Object.fromEntries(
    Object.entries(entry)
      .filter(([name, value]) => !isDeepStrictEqual(value, usual[name as keyof object]))
      .map(([name, value]) => [inSnakeCase(name), value]),
  )

const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
