// Required parameters of a chosen module, and parameters that exclude or need each other.
import type { Relation } from '../../model.ts'
import type { Edit } from '../../report.ts'
import type { Found, Understood } from '../finding.ts'
import { type Chosen, wireName } from '../knowledge.ts'
import { asChoice, keep, type RuleText, remove, replace, swapPart } from '../rule-texts/fixes.ts'
import { list, quote, short } from '../rule-texts/phrases.ts'
import { isTimestamp, timeOf } from '../text/forms.ts'
import { readParts } from '../text/pairs.ts'
import { isGiven } from './parameters.ts'

export function findMissing({ chosen, namedPairs }: Understood): Found[] {
  return chosen.flatMap(({ module, role }) =>
    module.required.flatMap((parameter): Found[] => {
      const wire = wireName({ module, role }, parameter.name)
      const pair = namedPairs.get(wire)?.pair
      if (pair && pair.value !== '') return []
      const target = { module, role, wire, parameter }
      return [{ rule: 'required-missing', name: pair?.name ?? wire, ...(pair && { pair }), module, target }]
    }),
  )
}

export const findInRelations = (query: Understood): Found[] =>
  query.chosen.flatMap(chosen => chosen.module.relations.flatMap(relation => findIn(relation, chosen, query)))

/** Whether a module lists the oldest first. Without a direction, modules list the newest first. */
function goesForward(chosen: Chosen, namedPairs: Understood['namedPairs']): boolean {
  const given = namedPairs.get(wireName(chosen, 'dir'))?.pair.value
  return /^(?:newer|asc)/.test(String(given ?? chosen.module.parameters.get('dir')?.default ?? 'older'))
}

/** Finds a start and an end of a module that are against its direction. */
export const findInRanges = ({ chosen, namedPairs }: Understood): Found[] =>
  chosen.flatMap((each): Found[] => {
    const [start, end] = ['start', 'end'].map(name => namedPairs.get(wireName(each, name)))
    if (!start?.target || !end?.target) return []
    const [from, to] = [start, end].map(({ pair }) =>
      isTimestamp(pair.value) && !pair.isOpen ? timeOf(pair.value) : Number.NaN,
    )
    if (from === undefined || to === undefined || !(goesForward(each, namedPairs) ? from > to : from < to)) return []
    const last = start.order > end.order ? start : end
    const names = [start.pair.name, end.pair.name]
    return [
      {
        rule: 'reversed-range',
        name: last.pair.name,
        pair: last.pair,
        module: each.module,
        ...(last.target && { target: last.target }),
        names,
      },
    ]
  })

function findIn(relation: Relation, chosen: Chosen, { namedPairs }: Understood): Found[] {
  const find = (parameter: string) => {
    const found = namedPairs.get(wireName(chosen, parameter))
    return found?.target && isGiven(found.pair, found.target) ? found : undefined
  }
  const { module } = chosen
  if (relation.kind === 'needs') {
    const needing = find(relation.parameter)
    if (!needing?.target || find(relation.needs)) return []
    const { pair, target } = needing
    return [{ rule: 'needs', name: pair.name, pair, module, target, names: [wireName(chosen, relation.needs)] }]
  }
  const { kind, parameters } = relation
  const present = parameters.flatMap(parameter => find(parameter) ?? []).sort((a, b) => a.order - b.order)
  const last = present.at(-1)
  if (!last?.target) {
    // The plain name is the shortest: user before userids and userprefix.
    const sorted = parameters.toSorted((a, b) => a.length - b.length)
    const names = sorted.map(parameter => wireName(chosen, parameter))
    const [name = ''] = names
    const target = targetOf(chosen, sorted[0])
    return kind === 'at-most-one' ? [] : [{ rule: 'needs', name, module, ...(target && { target }), names }]
  }
  if (present.length === 1 || kind === 'at-least-one') return []
  const names = present.map(({ pair }) => pair.name)
  return [{ rule: 'excludes', name: last.pair.name, pair: last.pair, module, target: last.target, names }]
}

function targetOf(chosen: Chosen, name = ''): Found['target'] {
  const parameter = chosen.module.parameters.get(name)
  return parameter && { ...chosen, wire: wireName(chosen, name), parameter }
}

/** The message and suggestions of each rule. */
export const relationTexts = {
  'required-missing': {
    message: ({ target, module }) => `${module?.name} needs ${target?.wire}: give it a value.`,
    fixes: () => [],
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
        asChoice({ label: `Exchange ${short(start)} and ${short(end)}`, edits: exchanged }),
        ...(turned ? [asChoice({ label: `Write ${dir}=${value}`, edits: [turned] })] : []),
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
