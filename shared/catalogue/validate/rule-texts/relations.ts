// Parameters that need or exclude others.

import type { Edit } from '../../report.ts'
import { modeOf } from '../checks/conditions.ts'
import { goesForward } from '../checks/relations.ts'
import type { Examined, Found } from '../finding.ts'
import { wireName } from '../knowledge.ts'
import { readParts } from '../text/pairs.ts'
import { choosing, keep, type RuleText, remove, replace, swapPart } from './fixes.ts'
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
  'reversed-range': {
    message: ({ module, names: [start = '', end = ''] = [], target }, { namedPairs }) => {
      const isForward = target !== undefined && goesForward(target, namedPairs)
      return `${module?.name} lists the ${isForward ? 'oldest' : 'newest'} first here, so ${short(start)} must be ${isForward ? 'before' : 'after'} ${short(end)}, or nothing is found: exchange them, or turn the direction.`
    },
    fixes: ({ module, target, names: [start = '', end = ''] = [] }, { namedPairs, names }) => {
      if (!module || !target) return []
      const [from, to] = [names.get(start)?.value ?? '', names.get(end)?.value ?? '']
      const exchanged = [...replace(start, to).edits, ...replace(end, from).edits]
      const dir = wireName(target, 'dir')
      const written = namedPairs.get(dir)?.pair.name
      const isForward = goesForward(target, namedPairs)
      const known = module.parameters.get('dir')?.values
      const value = [isForward ? 'older' : 'newer', isForward ? 'descending' : 'ascending'].find(each =>
        known?.has(each),
      )
      const turned: Edit | undefined =
        value === undefined
          ? undefined
          : written === undefined
            ? { op: 'add', name: dir, value }
            : { op: 'replace', name: written, value }
      return [
        choosing({ label: `Exchange ${short(start)} and ${short(end)}`, edits: exchanged }),
        ...(turned ? [choosing({ label: `Write ${dir}=${value}`, edits: [turned] })] : []),
      ]
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
