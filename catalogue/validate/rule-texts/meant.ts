// The meant values in place of refused ones.
import { findClear, findMeant } from '../../nearest.ts'
import type { Suggestion } from '../../report.ts'
import type { Found } from '../finding.ts'
import { splitOtherwise } from '../text/pairs.ts'
import { valueMeant } from '../words.ts'
import { inPlace, likeliest, losing, swapPart, valueIn } from './fixes.ts'

export const wordIn = (found: Found) => (found.target ? valueMeant(valueIn(found), found.target.parameter) : undefined)

/** Each fixed text is compared with all known values. */
const mostMended = 8

/** The texts of a value that something else than `|` joins. */
export function textsIn(found: Found): string[] {
  const texts = found.part ? splitOtherwise(found.part.text) : []
  return texts.length > 1 && texts.length <= mostMended ? texts : []
}

/** The likely meant value: by an everyday word, or a near name. */
export function inItsPlace(found: Found): Suggestion[] {
  const given = valueIn(found)
  const word = wordIn(found)
  if (word !== undefined) return inPlace(found, word)
  const known = [...(found.target?.parameter.values ?? [])].filter(Boolean)
  const clear = findClear(given, known)
  const texts = splitOtherwise(given)
  // Too short for the whole text.
  const drops = (value: string) => texts.length > 1 && value.length < texts.join('').length
  const suggestions = findMeant(given, known).flatMap(value =>
    inPlace(found, value).map(each => (drops(value) ? losing(each) : each)),
  )
  const isOne = clear !== undefined && !drops(clear)
  return [...(isOne ? [] : mendEach(found, known)), ...likeliest(suggestions, clear !== undefined)]
}

/** Distinct values for all texts; else the sure ones, if there are several. */
function mendEach(found: Found, known: readonly string[]): Suggestion[] {
  const texts = textsIn(found)
  const wordFor = (text: string) => found.target && valueMeant(text, found.target.parameter)
  const sure = texts.map(text => (known.includes(text) ? text : (wordFor(text) ?? findClear(text, known))))
  const meant = new Set(texts.flatMap((text, at) => sure[at] ?? findMeant(text, known)[0] ?? []))
  const isWhole = meant.size > 0 && meant.size === new Set(texts).size
  if (isWhole) return likeliest(swapPart(found, [...meant]), !sure.includes(undefined))
  const right = [...new Set(sure.filter(text => text !== undefined))]
  return right.length > 1 ? swapPart(found, right).map(losing) : []
}
