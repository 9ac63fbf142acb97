// What the builder changes in a query, as edits: pairs that they do not name stay byte for byte.
import type { Edit } from '../../../report.ts'
import { type Chosen, choosing, wireName } from '../../../validate/knowledge.ts'
import { joinValues, type Pair, readPairs, readParts } from '../../../validate/text/pairs.ts'

/** The pair that counts of each name: the last. */
export function countingPairs(text: string): Map<string, Pair> {
  return new Map(readPairs(text).map(pair => [pair.name, pair]))
}

/** @param value `null` where the name is to be absent */
export function setValue(text: string, name: string, value: string | null): Edit[] {
  const pair = countingPairs(text).get(name)
  if (value === null) return pair ? [{ op: 'remove', name }] : []
  if (pair?.value === value && pair.rawValue !== null) return []
  // What is typed half may be half a character.
  return [{ op: pair ? 'replace' : 'add', name, value: value.toWellFormed() }]
}

export function setValues(text: string, name: string, values: readonly string[]): Edit[] {
  return setValue(text, name, values.length > 0 ? joinValues(values) : null)
}

/** A query has one generator: another takes its place. */
export function addModule(text: string, { module, role }: Chosen, chosen: readonly Chosen[]): Edit[] {
  if (role !== 'generator') return setValues(text, role, [...valuesOf(text, role), module.name])
  const before = chosen.filter(each => each.role === 'generator').flatMap(each => removeParameters(text, each))
  return [...before, ...setValue(text, role, module.name)]
}

/** Takes its parameters away too: without it they would be mistakes. */
export function removeModule(text: string, chosen: Chosen): Edit[] {
  const { module, role } = chosen
  const keys = [...countingPairs(text).keys()].filter(name => {
    const key = choosing.find(known => known === name.toLowerCase())
    return key !== undefined && (key === 'generator') === (role === 'generator')
  })
  const edits = keys.flatMap(key => {
    const values = valuesOf(text, key)
    if (!values.includes(module.name)) return []
    return setValues(text, key, role === 'generator' ? [] : values.filter(value => value !== module.name))
  })
  return [...edits, ...removeParameters(text, chosen)]
}

function removeParameters(text: string, chosen: Chosen): Edit[] {
  return [...chosen.module.parameters.keys()].flatMap(name => setValue(text, wireName(chosen, name), null))
}

function valuesOf(text: string, name: string): string[] {
  const pair = countingPairs(text).get(name)
  return pair ? readParts(pair).map(({ text }) => text) : []
}
