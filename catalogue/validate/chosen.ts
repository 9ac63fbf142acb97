// Indexes a query's modules, because each of possibly thousands of names is looked up in them.
import { type Chosen, type Knowledge, type KnownModule, type Role, type Target, wireName } from './knowledge.ts'

export type ChosenModules = {
  /** Unique per role, in the query's order. */
  chosen: readonly Chosen[]
  roles: ReadonlyMap<KnownModule, ReadonlySet<Role>>
  /** By the bare names of their parameters, in the query's order. */
  holders: ReadonlyMap<string, readonly Chosen[]>
}

export function indexChosen(choices: readonly Chosen[]): ChosenModules {
  const chosen: Chosen[] = []
  const roles = new Map<KnownModule, Set<Role>>()
  const holders = new Map<string, Chosen[]>()
  for (const each of choices) {
    const { module, role } = each
    const known = roles.get(module)
    if (known?.has(role)) continue
    chosen.push(each)
    if (known) known.add(role)
    else roles.set(module, new Set([role]))
    for (const name of module.parameters.keys()) {
      const others = holders.get(name)
      if (others) others.push(each)
      else holders.set(name, [each])
    }
  }
  return { chosen, roles, holders }
}

export const isChosen = ({ roles }: Pick<ChosenModules, 'roles'>, { module, role }: Chosen): boolean =>
  roles.get(module)?.has(role) === true

/** The chosen modules with a parameter of this bare name, in each role. */
export const holdersOf = (parameter: string, { holders }: Pick<ChosenModules, 'holders'>): readonly Chosen[] =>
  holders.get(parameter) ?? []

/** A name's parameter, if its module is chosen in that role. */
export function rightTarget(
  name: string,
  { knowledge, roles }: Pick<ChosenModules, 'roles'> & { knowledge: Knowledge },
): Target | undefined {
  const target = knowledge.wires.get(name)
  return target && isChosen({ roles }, target) ? target : undefined
}

/** The wire names of the chosen modules. */
export const ownWires = (chosen: readonly Chosen[]): string[] =>
  chosen.flatMap(each => [...each.module.parameters.keys()].map(parameter => wireName(each, parameter)))
