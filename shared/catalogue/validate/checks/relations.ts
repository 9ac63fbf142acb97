// What a chosen module must be given, and which of its parameters exclude or need each other.
import type { Relation } from '../../model.ts'
import type { Found, Understood } from '../finding.ts'
import { type Chosen, wireName } from '../knowledge.ts'
import { isTimestamp, timeOf } from './text-forms.ts'
import { isGiven } from './values.ts'

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

/** Whether a module lists the oldest first. Those without a direction list the newest first. */
export function goesForward(chosen: Chosen, namedPairs: Understood['namedPairs']): boolean {
  const given = namedPairs.get(wireName(chosen, 'dir'))?.pair.value
  return /^(?:newer|asc)/.test(String(given ?? chosen.module.parameters.get('dir')?.default ?? 'older'))
}

/** Finds a start and an end of one module in the order that its direction never passes. */
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
