// Lists what a report does not check.
import type { Unchecked } from '../report.ts'
import { asNumber, partsOf } from './checks/values.ts'
import type { NamedPair, Scene } from './finding.ts'
import { choosing, pageSets } from './knowledge.ts'

/** The names whose values were not checked, or only in part. */
export function listUnchecked(scene: Scene): Unchecked[] {
  return [...scene.namedPairs]
    .sort(([, a], [, b]) => a.order - b.order)
    .flatMap(([right, named]) => {
      const reason = reasonOf(right, named, scene)
      return reason ? [{ name: named.pair.name, reason }] : []
    })
}

function reasonOf(right: string, { pair, target }: NamedPair, scene: Scene): string | null {
  if (!target) {
    if (right === 'action' || choosing.some(name => name === right)) return null
    if (pageSets.some(name => name === right)) return 'The catalogue does not know which pages there are.'
    return 'It belongs to the query as a whole, which the catalogue does not describe.'
  }
  const { name, type } = target.parameter
  if (pair.value === '') return null
  if (name === 'continue') return 'Its value comes from an answer of the API.'
  if (type === 'str' || type === 'title') return 'It is free text.'
  const namespaces = type === 'ns' ? (target.parameter.multi ? partsOf(pair, scene) : [{ text: pair.value }]) : []
  const isNamespace = ({ text }: { text: string }) => (asNumber(text) ?? -1) >= 0
  return namespaces.some(isNamespace) ? 'The catalogue does not know which namespaces a site has.' : null
}
