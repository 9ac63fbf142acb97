// The builder's changes to a query, as edits: all other pairs stay byte for byte.
import type { Edit } from '../../../report.ts'
import { type Chosen, choosing, type KnownParameter, wireName } from '../../../validate/knowledge.ts'
import { joinValues, type Pair, readParts } from '../../../validate/text/pairs.ts'
import { effectivePairs } from '../../../validate/text/query.ts'

/** @param value `null` removes the name */
export function setValue(text: string, name: string, value: string | null): Edit[] {
  const pair = effectivePairs(text).get(name)
  if (value === null) return pair ? [{ op: 'remove', name }] : []
  if (pair?.value === value && pair.rawValue !== null) return []
  // While somebody types, a value may end in half a surrogate pair.
  return [{ op: pair ? 'replace' : 'add', name, value: value.toWellFormed() }]
}

export const setValues = (text: string, name: string, values: readonly string[]): Edit[] =>
  setValue(text, name, values.length > 0 ? joinValues(values) : null)

/**
 * Writes the values of an enumeration; none if the default has some.
 *
 * @param isOwn whether the builder wrote the present value, or there is none: then the default is not written
 */
export function setChoices(
  text: string,
  { name, defaults }: { name: string; defaults: readonly string[] },
  values: readonly string[],
  isOwn: boolean,
): Edit[] {
  const isDefault = values.length === defaults.length && values.every(value => defaults.includes(value))
  if (isDefault && (isOwn || defaults.length === 0)) return setValue(text, name, null)
  return setValue(text, name, joinValues(values))
}

/** A query has one generator: a new one replaces the old one and its parameters. */
export function addModule(text: string, { module, role }: Chosen, chosen: readonly Chosen[]): Edit[] {
  if (role !== 'generator') return setValues(text, role, [...valuesOf(effectivePairs(text).get(role)), module.name])
  const before = chosen.filter(each => each.role === 'generator').flatMap(each => removeParameters(text, each))
  return [...before, ...setValue(text, role, module.name)]
}

/** Removes its parameters too: without the module they would be errors. */
export function removeModule(text: string, chosen: Chosen): Edit[] {
  const { module, role } = chosen
  const keys = [...effectivePairs(text).keys()].filter(name => {
    const key = choosing.find(known => known === name.toLowerCase())
    return key !== undefined && (key === 'generator') === (role === 'generator')
  })
  const edits = keys.flatMap(key => {
    const values = valuesOf(effectivePairs(text).get(key))
    if (!values.includes(module.name)) return []
    return setValues(text, key, role === 'generator' ? [] : values.filter(value => value !== module.name))
  })
  return [...edits, ...removeParameters(text, chosen)]
}

const removeParameters = (text: string, chosen: Chosen): Edit[] =>
  [...chosen.module.parameters.keys()].flatMap(name => setValue(text, wireName(chosen, name), null))

export const valuesOf = (pair: Pair | undefined): string[] => (pair ? readParts(pair).map(({ text }) => text) : [])

/**
 * The typed or pasted values of a field that takes several.
 *
 * Separated by lines and by `|`, which titles, names and numbers cannot contain. A message's arguments can: only they
 * may repeat, and only they are free text.
 */
export function splitTyped(typed: string, { allows_duplicates: isFreeText }: KnownParameter): string[] {
  if (isFreeText) return typed.split(/[\r\n]+/).filter(Boolean)
  return typed
    .split(/[|\r\n]+/)
    .map(value => value.trim())
    .filter(Boolean)
}

/** The values with the typed ones, without duplicates. */
export function addTyped(values: readonly string[], typed: string, parameter: KnownParameter): string[] {
  const all = [...values, ...splitTyped(typed, parameter)]
  return parameter.allows_duplicates ? all : all.filter((value, at) => at < values.length || all.indexOf(value) === at)
}
