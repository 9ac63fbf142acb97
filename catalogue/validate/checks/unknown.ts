// The words for what the catalogue does not know: the texts of rules about wrong names, values and characters.
//
// Few queries break them, and the explorer loads them with the first that does.
import { findClear, findMeant } from '../../nearest.ts'
import type { Examined, Found } from '../finding.ts'
import type { KnownModule } from '../knowledge.ts'
import {
  asChoice,
  inPlace,
  isLong,
  leftOut,
  likeliest,
  longestSuggestion,
  losing,
  type RuleText,
  remove,
  removeOptional,
  replace,
  rewrite,
  swapPart,
  valueIn,
} from '../rule-texts/fixes.ts'
import { inItsPlace, textsIn, wordIn } from '../rule-texts/meant.ts'
import { list, quote, short } from '../rule-texts/phrases.ts'
import { timestampsMeant } from '../rule-texts/timestamps.ts'
import { bytesOf, decode, escapes } from '../text/encoding.ts'
import { subtypeOf, timeOf } from '../text/forms.ts'
import { isSensitive, isSeveral } from '../text/pairs.ts'
import { extensionModuleOf, extensionOf } from '../words.ts'
import { askedAbsent, isChoosing } from './modules.ts'
import { impossible } from './page-set.ts'
import { asNumber, highestLimit } from './values.ts'
import { wrongNameTexts } from './wrong-names.ts'

/** The message and suggestions of each rule. */
const texts = {
  ...wrongNameTexts,
  'malformed-encoding': {
    message: ({ name, pair }) => {
      if (pair?.slip)
        return 'The query is percent-encoded as a whole, and so it is one name: write it with its own & and =.'
      if (pair && !pair.isMalformed)
        return `${short(name)} is percent-encoded twice, and no title holds the escapes that are left: write ${quote(decode(pair.value).text)}.`
      const read = isSensitive(name) ? '' : `, and is read as ${quote(`${name}=${pair?.value}`)}`
      return `${short(name)} is not percent-encoded UTF-8${read}: write % itself as %25, and other characters in UTF-8.`
    },
    fixes: ({ name, pair: slipped }, { names }) => {
      const pair = names.get(name)
      if (slipped?.slip && !isLong(slipped)) return [rewrite(slipped, 'Write its & and =')]
      if (!pair || isLong(pair)) return [remove(name)]
      const isTwice = slipped?.isMalformed === false
      const meant = pair.isMalformed
        ? decodeAsMeant(pair.rawValue ?? '')
        : isTwice
          ? decode(pair.value).text
          : pair.value
      return [replace(name, meant), remove(name)]
    },
  },
  'not-a-query': {
    message: ({ pair }, { isPage }) =>
      isPage
        ? 'This is the address of a page, not a query: the address of a query leads to api.php.'
        : `action=${short(pair?.value ?? '')} is another action, which is not checked here: the catalogue describes action=query alone.`,
    fixes: ({ name, pair }, { isPage }) =>
      !isPage && findClear(pair?.value ?? '', ['query']) ? [replace(name, 'query')] : [],
  },
  'unknown-module': {
    message: (found, examined, suggestions = []) => {
      const near = suggestions.length > 0 ? findMeant(valueIn(found), modulesFor(found, examined)) : []
      const advice = near.length > 0 ? `write ${list(near, 'or')}` : `${short(found.name)} cannot ask for it`
      return `The catalogue has no module ${quote(valueIn(found))}: ${advice}.`
    },
    compared: (_, { knowledge }) => knowledge.modules.size,
    fixes: (found, examined) => {
      const names = modulesFor(found, examined)
      const near = findMeant(valueIn(found), names)
      const isClear = findClear(valueIn(found), names) !== undefined
      // A generator is a single value: the others go too.
      if (keyOf(found) === 'generator') {
        const fixes = likeliest(
          near.map(name => replace(found.name, name)),
          isClear,
        )
        return [...(found.pair && isSeveral(found.pair) ? fixes.map(losing) : fixes), remove(found.name)]
      }
      return [
        ...likeliest(
          near.flatMap(name => swapPart(found, [name])),
          isClear,
        ),
        ...swapPart(found),
      ]
    },
  },
  'extension-module': {
    message: (found, { knowledge }) => {
      const wanted = valueIn(found)
      return `${wanted} is not among the ${knowledge.modules.size} modules of this catalogue: it belongs to the extension ${extensionOf(wanted)}, and an extension's module is not checked.`
    },
    fixes: () => [],
  },
  'extension-parameter': {
    message: ({ name }, examined) => {
      const module = extensionModuleOf(name, askedAbsent(examined)) ?? ''
      return `${short(name)} belongs to ${module} of the extension ${extensionOf(module)}, which is not among the ${examined.knowledge.modules.size} modules of this catalogue, and is not checked.`
    },
    fixes: () => [],
  },
  'bad-integer': {
    message: found => {
      const kinds = found.target?.parameter.type === 'limit' ? `an integer or ${highestLimit}` : 'an integer'
      return `${short(found.name)} takes ${kinds}, and ${quote(valueIn(found))} is none.`
    },
    fixes: found => {
      const digits = valueIn(found).replaceAll(/[\s,_']|\.0*$/g, '')
      const numbers = asNumber(digits) === null ? [] : [digits]
      const isHighest = found.target?.parameter.type === 'limit' && valueIn(found).toLowerCase() === highestLimit
      const word = isHighest ? highestLimit : wordIn(found)
      return [...(word === undefined ? numbers : [word]).flatMap(value => inPlace(found, value)), ...leftOut(found)]
    },
  },
  'bad-value': {
    message: found => `${short(found.name)} cannot be ${quote(valueIn(found))}: it takes one of ${taken(found)}.`,
    compared: found => found.target?.parameter.values?.size ?? 0,
    fixes: found => [...inItsPlace(found), ...removeOptional(found)],
  },
  'unrecognized-value': {
    message: found =>
      `${short(found.name)} has no value ${quote(valueIn(found))}, and drops it: it takes ${taken(found)}.`,
    compared: found => (found.target?.parameter.values?.size ?? 0) * (1 + textsIn(found).length),
    fixes: found => [...inItsPlace(found), ...swapPart(found)],
  },
  'bad-namespace': {
    message: found => {
      const { extra_namespaces: extra = [] } = found.target?.parameter ?? {}
      const kinds = ['integers from 0', ...extra.map(String)]
      return `${quote(valueIn(found))} is no namespace: ${short(found.name)} takes ${list(kinds)}.`
    },
    fixes: found => [...inItsPlace(found), ...leftOut(found)],
  },
  'user-subtype': {
    message: found => {
      const subtypes = list(found.target?.parameter.subtypes ?? [], 'or')
      return `${quote(valueIn(found))} reads as a user's ${subtypeOf(valueIn(found))}, and ${short(found.name)} takes ${subtypes}.`
    },
    fixes: found => leftOut(found),
  },
  'bad-timestamp': {
    message: found =>
      `${quote(valueIn(found))} is no timestamp that ${short(found.name)} takes: write one like 2026-01-31T12:00:00Z.`,
    fixes: found => {
      const meant = timestampsMeant(valueIn(found))
      const readings = meant.map(time => replace(found.name, time))
      const isClear = meant.length === 1 && !/^\d+$/.test(valueIn(found))
      return [...likeliest(readings, isClear), ...(meant.length > 1 ? [] : removeOptional(found))]
    },
  },
  'unlikely-timestamp': {
    message: found => {
      const says = `${quote(valueIn(found))} is read as seconds since 1970, which is ${new Date(timeOf(valueIn(found))).toISOString().replace('.000', '')}`
      return `${says}: write ${short(found.name)} like 2026-01-31T12:00:00Z.`
    },
    fixes: found => timestampsMeant(valueIn(found)).map(time => asChoice(replace(found.name, time))),
  },
  'impossible-title': {
    message: ({ name, pair }) => `No page has a title like ${quote(pair?.value ?? '')}, which ${short(name)} has.`,
    fixes: ({ name, pair, target }) => {
      if (!pair || pair.value.length > longestSuggestion) return []
      const meant = titlesMeant(pair.value)
      const isMany = meant.includes('|') && target !== undefined && !target.parameter.multi
      if (meant === '' || isMany || impossible.test(meant)) return []
      const fix = replace(name, meant)
      if (/.#/.test(pair.value)) return [losing(fix)]
      return [/\{\{|<|\|[^[\]]*\]\]/.test(pair.value) ? asChoice(fix) : fix]
    },
  },
} as const satisfies Record<string, RuleText>

export type UnknownRule = keyof typeof texts

export const unknownText = (rule: UnknownRule): RuleText => texts[rule]

/** A malformed text as likely meant: bytes that are not UTF-8 are most often Windows-1252. */
function decodeAsMeant(raw: string): string {
  return raw
    .replaceAll('+', ' ')
    .replace(escapes, run => {
      let text = ''
      for (let at = 0; at < run.length; ) {
        const [character, length] = firstOf(run.slice(at, at + longestCharacter))
        text += character
        at += length
      }
      return text
    })
    .toWellFormed()
}

/** The length of the escapes of the longest UTF-8 character: four bytes. */
const longestCharacter = 4 * '%00'.length

/** The first character of a run of escapes, and the length of its escapes. */
function firstOf(run: string): [character: string, length: number] {
  for (let length = 3; length <= run.length; length += 3) {
    try {
      return [decodeURIComponent(run.slice(0, length)), length]
    } catch {
      // An incomplete character, or not UTF-8.
    }
  }
  return [new TextDecoder('windows-1252').decode(bytesOf(run.slice(0, 3))), 3]
}

const keyOf = ({ name }: Found): string => name.toLowerCase()

/** The names of the modules that a pair can choose. */
function modulesFor(found: Found, { knowledge }: Examined): string[] {
  const key = keyOf(found)
  const can = ({ group, generator }: KnownModule) => (key === 'generator' ? generator : group === key)
  return isChoosing(key) ? [...knowledge.modules.values()].filter(can).map(({ name }) => name) : []
}

const taken = ({ target }: Found): string =>
  short([...(target?.parameter.values ?? [])].map(value => value || '(empty)').join(', '))

/** The titles meant: of a column, of links, of templates and of tags. Empty where nothing is left. */
function titlesMeant(value: string): string {
  const plain = value
    .replace(/\[\[\s*:?([^|\]]*)(?:\|[^\]]*)?\]\]/g, '$1')
    .replace(/\{\{\s*([^|}]*)[^}]*\}\}/g, 'Template:$1')
    .replace(/<([^<>]*)>/g, '$1')
  const titles = plain.split(/[\n\r\t|]+/).map(title => title.replace(/(.)#.*/, '$1').trim())
  return titles.filter(Boolean).join('|')
}
