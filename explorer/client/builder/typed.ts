// The values that somebody types or pastes into a field which takes several.
import type { KnownParameter } from '../../../shared/catalogue/validate/knowledge.ts'

/**
 * One for each line, and for each part between two `|`: titles, names and numbers cannot hold one. The arguments of a
 * message can: they are the only values that may be given twice, and the only ones that are free text.
 */
export function splitTyped(typed: string, { allows_duplicates: isFreeText }: KnownParameter): string[] {
  if (isFreeText) return typed.split(/[\r\n]+/).filter(Boolean)
  return typed
    .split(/[|\r\n]+/)
    .map(value => value.trim())
    .filter(Boolean)
}

/** The values together with what is typed. A value that is there already is not added again. */
export function addTyped(values: readonly string[], typed: string, parameter: KnownParameter): string[] {
  const all = [...values, ...splitTyped(typed, parameter)]
  return parameter.allows_duplicates ? all : all.filter((value, at) => at < values.length || all.indexOf(value) === at)
}
