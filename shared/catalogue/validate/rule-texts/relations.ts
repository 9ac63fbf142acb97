// Parameters that need or exclude others.
import { modeOf } from '../checks/conditions.ts'
import type { Examined, Found } from '../finding.ts'
import { readParts } from '../text/pairs.ts'
import { keep, type RuleText, remove, swapPart } from './fixes.ts'
import { list, quote, short } from './phrases.ts'

export const relations = {
  'required-missing': {
    message: ({ target, module }) => `${module?.name} needs ${target?.wire}: give it a value.`,
    fixes: () => [],
  },
  condition: {
    message: (found, examined) => {
      const { name, names: [user = ''] = [] } = found
      switch (conditionOf(found)) {
        case 'useronly':
          return `${short(name)} works with ${user} alone: add that, or leave it out.`
        case 'nonuseronly':
          return `${short(name)} does not work with ${user}: leave one out.`
        case 'singlepageonly':
          return `${short(name)} works for a single page alone, and the query is about several, or about single revisions.`
        default:
          return `${short(name)} does not work ${modeNames[modeIn(found, examined)]}: leave it out.`
      }
    },
    fixes: (found, { namedPairs }) => {
      const { name, names: [wire = ''] = [] } = found
      const user = namedPairs.get(wire)
      return [remove(name), ...(conditionOf(found) === 'nonuseronly' && user ? [remove(user.pair.name)] : [])]
    },
  },
  excludes: {
    message: ({ name, part, names = [] }) =>
      part
        ? `${list([contraryOf(part.text), part.text].map(quote))} of ${short(name)} exclude each other: keep one.`
        : `${list(names.map(short))} exclude each other: keep one.`,
    fixes: found => {
      const { pair, part, names = [] } = found
      if (!pair || !part) return names.map(name => keep(name, names))
      const other = readParts(pair).find(({ text }) => text === contraryOf(part.text))
      return [part, ...(other ? [other] : [])].flatMap(each => swapPart({ ...found, part: each }))
    },
  },
  needs: {
    message: ({ name, pair, module, names = [] }) =>
      pair
        ? `${short(name)} needs ${list(names)}: add that, or leave this out.`
        : `${module?.name} needs one of ${list(names)}: add one.`,
    fixes: ({ name, pair }) => (pair ? [remove(name)] : []),
  },
} as const satisfies Record<string, RuleText>

const contraryOf = (text: string): string => (text.startsWith('!') ? text.slice(1) : `!${text}`)

const conditionOf = ({ target }: Found): string | undefined => target?.parameter.conditions?.[0]?.name

/** By deletedrevs' modes. */
const modeNames: Record<number, string> = {
  1: 'on given pages',
  2: "on a user's revisions",
  3: 'without pages or a user',
}

const modeIn = ({ target }: Found, examined: Examined): number => (target ? modeOf(target, examined) : 0)
