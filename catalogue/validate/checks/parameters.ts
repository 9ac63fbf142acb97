// Mistakes in a pair as its parameter's value.
import type { CheckContext, Found } from '../finding.ts'
import type { KnownParameter, Target } from '../knowledge.ts'
import { inPlace, type RuleText, remove, valueIn } from '../rule-texts/fixes.ts'
import { quote, short } from '../rule-texts/phrases.ts'
import { isSensitive, isSeveral, type Pair, readParts } from '../text/pairs.ts'
import { type Fault, faultsOfSeveral, isSingle, partsOf, usersAsMeant, valuesAsMeant } from './several-values.ts'
import { asNumber, faultsOfOne } from './values.ts'

/** All findings in a pair's value. */
export const findInValue = (pair: Pair, target: Target, context: CheckContext): readonly Found[] =>
  context.remember(pair, `found as ${target.wire}`, () => {
    if (pair.isOpen) return []
    const at = { name: pair.name, pair, module: target.module, target }
    return faultsOf(pair, target, context).map(([rule, part]): Found => ({ rule, ...at, ...(part && { part }) }))
  })

/** Not empty, or a boolean, which its name alone sets. */
export const isGiven = (pair: Pair, { parameter }: Target): boolean => parameter.type === 'bool' || pair.value !== ''

/** Whether a value equals the default in meaning. */
export function isDefault(pair: Pair, { parameter }: Target): boolean {
  const usual = parameter.default
  if (usual === undefined || parameter.type === 'bool') return false
  const same = (text: string) => (isNumeric(parameter) ? asNumber(text) : text)
  if (!parameter.multi) return same(pair.value) === same(String(usual))
  const selected = new Set(readParts(pair).map(({ text }) => same(text)))
  const due = new Set(String(usual) === '' ? [] : String(usual).split('|').map(same))
  return selected.size === due.size && [...due].every(value => selected.has(value))
}

const isNumeric = ({ type }: KnownParameter): boolean => type === 'int' || type === 'ns' || type === 'limit'

function faultsOf(pair: Pair, target: Target, context: CheckContext): Fault[] {
  const { parameter } = target
  // Then it is missing, and nothing else.
  if (parameter.required && pair.value === '') return []
  const ofName: Fault[] = []
  if (isGiven(pair, target) && parameter.deprecated) ofName.push(['deprecated-parameter'])
  if (pair.value !== '' && isSensitive(target.wire)) ofName.push(['sensitive-in-url'])
  if (isSingle(parameter) && isSeveral(pair)) return [...ofName, ['not-multi']]
  if (valuesAsMeant(pair, target, context)) return [...ofName, ['wrong-separator']]
  // The fix of a wrong name offers the same.
  if (pair.name === target.wire && usersAsMeant(pair, target)) ofName.push(['unlikely-name'])
  const ofValue = takesCategory(target)
    ? bareTitles(pair, target, context)
    : parameter.multi
      ? faultsOfSeveral(partsOf(pair, context), parameter, context)
      : faultsOfOne(pair.value, parameter, context).map((rule): Fault => [rule])
  return [...ofName, ...ofValue, ...(isDefault(pair, target) ? [['equals-default'] satisfies Fault] : [])]
}

/** Takes only titles of categories (MediaWiki, ApiBase::getTitleOrPageId and ApiQueryCategories). */
const takesCategory = ({ module, parameter: { name } }: Target): boolean =>
  (module.name === 'categorymembers' && name === 'title') || (module.name === 'categories' && name === 'categories')

/** A colon, possibly encoded twice. */
const hasPrefix = (title: string): boolean => /:|%3a/i.test(title)

/** A title without a prefix is in the main namespace. Wikis name their categories differently, so any prefix will do. */
function bareTitles(pair: Pair, { parameter }: Target, context: CheckContext): Fault[] {
  if (!parameter.multi) return pair.value === '' || hasPrefix(pair.value) ? [] : [['missing-namespace']]
  const bare = new Map(
    partsOf(pair, context)
      .filter(({ text }) => text !== '' && !hasPrefix(text))
      .map(part => [part.text, part]),
  )
  return [
    ...faultsOfSeveral(partsOf(pair, context), parameter, context),
    ...[...bare.values()].map((part): Fault => ['missing-namespace', part]),
  ]
}

/** The message and suggestions of each rule. */
export const parameterTexts = {
  'missing-namespace': {
    message: found =>
      `${short(found.name)} takes the title of a category with its prefix, and ${quote(valueIn(found))} is refused: write Category:${short(valueIn(found))}.`,
    fixes: found => inPlace(found, `Category:${valueIn(found).trim()}`),
  },
  'deprecated-parameter': {
    message: ({ name }) => `${short(name)} is deprecated: it works for now, and may be taken away.`,
    fixes: () => [],
  },
  'sensitive-in-url': {
    message: ({ name }) =>
      `${short(name)} is a secret, and URLs are kept in logs and histories: send it in the body of a POST.`,
    fixes: () => [],
  },
  'equals-default': {
    message: found => `${quote(valueIn(found))} is the default of ${short(found.name)}: leave it out.`,
    fixes: ({ name }) => [remove(name)],
  },
} as const satisfies Record<string, RuleText>
