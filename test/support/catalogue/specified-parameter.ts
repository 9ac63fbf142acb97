// Parses a parameter in the specification's notation. Words are removed one by one; any left over are an error.

import type { TypeName } from '../../../catalogue/fixed-names.ts'
import type { Condition, Parameter } from '../../../catalogue/model.ts'

export type ValueSet = { values: string[]; deprecated: string[]; default?: string }

/** The context of an item. */
export type Context = {
  values: Map<string, ValueSet>
  bounds: {
    limit: { min: number; max: number; highmax: number; default: number }
    multi: { value_limit: number; value_high_limit: number }
  }
}

/** The served parameter, without its index. */
export function readParameter(item: string, { values, bounds }: Context): Parameter {
  let rest = item
  const take = (pattern: RegExp): RegExpMatchArray | null => {
    const match = rest.match(pattern)
    if (match) rest = rest.replace(match[0], ' ').trim()
    return match
  }
  const flag = (pattern: RegExp) => (take(pattern) ? true : undefined)

  const braces = take(/\{([^}]*)\}/)?.[1]
  const all = take(/\(`\*` selects all\)/) ?? take(/(?<=\bM)\*/)
  const simple = take(/\((useronly|nonuseronly|singlepageonly)\)/)?.[1]
  const modes = take(/\(modes? ([\d,]+)\)/)?.[1]
  const outdated = take(/\((\w+(?: and \w+)*) (?:are )?deprecated(?: values)?\)/)?.[1]
  take(/\(single value\)/)
  const allTen = take(/, default all ten joined with a vertical bar in that order/)
  const allows_duplicates = flag(/\ballowing duplicates\b/)
  const sensitive = flag(/\bflagged sensitive\b/)
  const required = flag(/\breq$/)
  const deprecated = flag(/\bdep$/)
  const extra = take(/\bextra ([-\d,]+)$/)?.[1]
  const subtypes = take(/\bUSERSUB$/) ? 'name, ip, interwiki, id' : take(/\bwith subtypes? ([a-z]+(?:, [a-z]+)*)$/)?.[1]
  const none = take(/\bwith no default$/)
  const written = take(/(?:=| with default )\s*(.+)$/)?.[1]
  const multi = flag(/(?:(?<=:)| )M$/)
  const parts = rest.match(/^(\w+)(?::\s*(\w*))?$/)
  if (!parts) throw new Error(`Not understood: ${item} (left: ${rest})`)
  const [, name = '', word] = parts
  const set = braces !== undefined && values.has(braces) ? braces : word && values.has(word) ? word : undefined
  const enumeration = set
    ? values.get(set)
    : braces === undefined
      ? undefined
      : { values: splitList(braces), deprecated: [] }
  const type = enumeration ? 'enum' : word ? (word as TypeName) : name === 'limit' ? 'limit' : 'str'
  const limit = type === 'limit' ? bounds.limit : undefined

  const text = allTen ? enumeration?.values.join('|') : written === '(empty)' ? '' : written?.replaceAll('`', '')
  const usual = text === undefined ? enumeration?.default : ['int', 'ns', 'limit'].includes(type) ? Number(text) : text
  const condition: Condition | undefined = modes
    ? { name: 'modes', values: modes.split(',').map(Number) }
    : simple
      ? { name: simple }
      : undefined
  const gone = outdated?.split(' and ') ?? enumeration?.deprecated ?? []
  const facts: { [Key in keyof Parameter]: Parameter[Key] | undefined } = {
    index: 0,
    name,
    type,
    multi,
    ...(multi && bounds.multi),
    all_specifier: all ? '*' : undefined,
    allows_duplicates,
    default: none ? undefined : (usual ?? limit?.default),
    required,
    deprecated,
    sensitive,
    values: enumeration?.values,
    values_set: set,
    deprecated_values: gone.length > 0 ? gone : undefined,
    extra_namespaces: extra?.split(',').map(Number),
    subtypes: subtypes?.split(', '),
    min: limit?.min,
    max: limit?.max,
    highmax: limit?.highmax,
    conditions: condition && [condition],
  }
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)) as Parameter
}

/** Values between commas; `(empty)` is the empty text. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map(value => value.trim())
    .map(value => (value === '(empty)' ? '' : value))
}
