// The values that were meant in place of those that a parameter does not take.
import { findClear, findMeant } from '../../nearest.ts'
import type { Suggestion } from '../../report.ts'
import type { Found } from '../finding.ts'
import { splitOtherwise } from '../text/pairs.ts'
import { valueMeant } from '../words.ts'
import { likeliest, losing, replace, swapPart } from './fixes.ts'

export const valueIn = ({ pair, part }: Found): string => part?.text ?? pair?.value ?? ''

export const inPlace = (found: Found, value: string) =>
  found.part ? swapPart(found, [value]) : [replace(found.name, value)]

export const wordIn = (found: Found) => (found.target ? valueMeant(valueIn(found), found.target.parameter) : undefined)

/** Each text that is mended costs a comparison with all known values. */
const mostMended = 8

/** The texts of one of several values, if something else than `|` joins them. */
export function textsIn(found: Found): string[] {
  const texts = found.part ? splitOtherwise(found.part.text) : []
  return texts.length > 1 && texts.length <= mostMended ? texts : []
}

/** What was meant in place of a value: by an everyday word, or by names that come near. */
export function inItsPlace(found: Found): Suggestion[] {
  const given = valueIn(found)
  const word = wordIn(found)
  if (word !== undefined) return inPlace(found, word)
  const known = [...(found.target?.parameter.values ?? [])].filter(Boolean)
  const clear = findClear(given, known)
  const texts = splitOtherwise(given)
  // Too short for all that was written.
  const drops = (value: string) => texts.length > 1 && value.length < texts.join('').length
  const suggestions = findMeant(given, known).flatMap(value =>
    inPlace(found, value).map(each => (drops(value) ? losing(each) : each)),
  )
  const isOne = clear !== undefined && !drops(clear)
  return [...(isOne ? [] : eachMended(found, known)), ...likeliest(suggestions, clear !== undefined)]
}

/** Values for all the texts, of which no two mean the same; else those that are sure, if there are several. */
function eachMended(found: Found, known: readonly string[]): Suggestion[] {
  const texts = textsIn(found)
  const wordFor = (text: string) => found.target && valueMeant(text, found.target.parameter)
  const sure = texts.map(text => (known.includes(text) ? text : (wordFor(text) ?? findClear(text, known))))
  const meant = new Set(texts.flatMap((text, at) => sure[at] ?? findMeant(text, known)[0] ?? []))
  const isWhole = meant.size > 0 && meant.size === new Set(texts).size
  if (isWhole) return likeliest(swapPart(found, [...meant]), !sure.includes(undefined))
  const right = [...new Set(sure.filter(text => text !== undefined))]
  return right.length > 1 ? swapPart(found, right).map(losing) : []
}
