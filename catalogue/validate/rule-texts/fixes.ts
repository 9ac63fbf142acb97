// Suggestions of rules. `suggest.ts` decides which of them are good.
import type { Edit, Suggestion } from '../../report.ts'
import type { Examined, Found } from '../finding.ts'
import { joinValues, type Pair, readParts } from '../text/pairs.ts'
import { quote, short } from './phrases.ts'

/** A rule's sentence about a finding, and its suggestions, the likeliest first. */
export type RuleText = {
  /** @param suggestions made for it: they state the likely intention */
  message(found: Found, examined: Examined, suggestions?: readonly Suggestion[]): string
  fixes(found: Found, examined: Examined): Suggestion[]
  /** How many names or values `fixes` compares with the text. */
  compared?(found: Found, examined: Examined): number
}

/** Characters of a suggestion as JSON: nobody reads a longer one. */
export const longestSuggestion = 4000

/** Whether a value is too long for a suggestion with the rest of it; each character may take three. */
export const isLong = ({ rawValue }: Pair): boolean => (rawValue ?? '').length > 3 * longestSuggestion

/** Removes a part without meaning, or with a duplicate meaning. */
export const drop = (name: string): Suggestion => ({ label: `Remove ${short(name)}`, edits: [{ op: 'remove', name }] })

/** Removes something written. */
export const remove = (name: string): Suggestion => losing(drop(name))

export const losing = (suggestion: Suggestion): Suggestion => ({ ...suggestion, loses: true })

/** One of several readings. */
export const asChoice = (suggestion: Suggestion): Suggestion => ({ ...suggestion, choice: true })

/** Suggestions of which only the first may be certain. */
export const likeliest = (suggestions: readonly Suggestion[], isClear: boolean): Suggestion[] =>
  suggestions.map((each, at) => (at === 0 && isClear ? each : asChoice(each)))

export const rename = (from: string, to: string): Suggestion => ({
  label: `Write ${short(to)}`,
  edits: [{ op: 'rename', from, to }],
})

export const replace = (name: string, value: string): Suggestion => ({
  label: `Write ${short(`${name}=${value}`)}`,
  edits: [{ op: 'replace', name, value }],
})

/** The same pair, without the mistake around it. */
export const rewrite = ({ name, value }: Pair, label: string): Suggestion => ({ ...replace(name, value), label })

/** Keeps one of several names. */
export function keep(name: string, names: readonly string[]): Suggestion {
  const others = names.filter(other => other !== name)
  return losing({ label: `Keep ${short(name)} alone`, edits: others.map(other => ({ op: 'remove', name: other })) })
}

/** The values of a name, or its removal without any. */
const withValues = (name: string, values: readonly string[], like = ''): Edit =>
  values.length === 0 ? { op: 'remove', name } : { op: 'replace', name, value: joinValues(values, like) }

/** Adds a module to the query, alone or beside others of its group. */
export function asking(group: string, module: string, { namedPairs }: Examined): Edit {
  const pair = namedPairs.get(group)?.pair
  if (!pair) return { op: 'add', name: group, value: module }
  const given = readParts(pair).map(({ text }) => text)
  return withValues(pair.name, given.includes(module) ? given : [...given, module], pair.value)
}

/** The value without its faulty part, or with replacements. */
export function swapPart({ name, pair, part }: Found, others: readonly string[] = []): Suggestion[] {
  if (!pair || !part || isLong(pair)) return []
  const texts = readParts(pair).map(({ text }) => text)
  const first = texts.indexOf(part.text)
  const next = texts.flatMap((text, at) => (text !== part.text ? text : at === first ? others : []))
  const values = others.length === 0 ? next : [...new Set(next)]
  const edits = [withValues(name, values, pair.value)]
  if (others.length > 0) return [{ label: `Write ${short(`${name}=${joinValues(values, pair.value)}`)}`, edits }]
  const suggestion = { label: `Leave out ${quote(part.text)}`, edits }
  // An empty part has no meaning.
  return [part.text === '' ? suggestion : losing(suggestion)]
}

/** The last resort for a refused value: without the name, its default applies. */
export const removeOptional = ({ name, pair, target }: Found): Suggestion[] =>
  target?.parameter.required ? [] : [pair?.value === '' ? drop(name) : remove(name)]

/** Without the faulty part, or without the name. */
export const leftOut = (found: Found) => (found.part ? swapPart(found) : removeOptional(found))

export const valueIn = ({ pair, part }: Found): string => part?.text ?? pair?.value ?? ''

export const inPlace = (found: Found, value: string) =>
  found.part ? swapPart(found, [value]) : [replace(found.name, value)]
