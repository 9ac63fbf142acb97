// Checks that a module's relations contradict neither its parameters nor each other.
import type { Parameter, Relation } from '../model.ts'
import type { Refuse } from './expand.ts'

/** The parameters that a relation names. */
function parametersOf(relation: Relation): string[] {
  return relation.kind === 'needs' ? [relation.parameter, relation.needs] : relation.parameters
}

/** Checks one module's relations against its parameters, expanded. */
export function checkRelations(relations: Relation[], parameters: Parameter[], refuse: Refuse) {
  const about: Refuse = finding => refuse(`relations: ${finding}`)
  const required = parameters.filter(({ required }) => required).map(({ name }) => name)
  const exclusive = relations.flatMap(relation =>
    relation.kind === 'exactly-one' || relation.kind === 'at-most-one' ? [relation.parameters] : [],
  )
  const seen = new Set<string>()
  for (const relation of relations) {
    const names = parametersOf(relation)
    for (const name of names) {
      if (!parameters.some(parameter => parameter.name === name)) about(`it has no parameter ${name}`)
    }
    // A need has a direction; a group has none.
    const listed = (relation.kind === 'needs' ? names : [...names].sort()).join(', ')
    const key = `${relation.kind === 'needs' ? 'need' : 'group'} of ${listed}`
    if (seen.has(key)) about(`two of ${listed}`)
    seen.add(key)
    if (relation.kind === 'needs') checkNeed(relation, exclusive, about)
  }
  for (const group of exclusive) {
    const [always] = group.filter(name => required.includes(name))
    const never = group.filter(name => name !== always)
    if (always) about(`${always} is required, so that ${never.join(', ')} can never be given`)
  }
}

function checkNeed({ parameter, needs }: { parameter: string; needs: string }, exclusive: string[][], refuse: Refuse) {
  if (parameter === needs) refuse(`${parameter} needs itself`)
  else if (exclusive.some(group => group.includes(parameter) && group.includes(needs))) {
    refuse(`${parameter} needs ${needs}, and they exclude each other`)
  }
}
