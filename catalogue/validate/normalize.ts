// The query in its best form. Its errors stay.
import { partsOf } from './checks/several-values.ts'
import { asNumber, highestLimit, topLimit } from './checks/values.ts'
import type { Examined } from './finding.ts'
import type { Target } from './knowledge.ts'
import { encode } from './text/encoding.ts'
import { isSensitive, joinValues, type Pair, textOf } from './text/pairs.ts'

/** Replaces a secret. */
const hidden = '***'

/** Each name once, with its last value; limits clamped, duplicates dropped, all percent-encoded. */
export function normalize(examined: Examined): string {
  const targets = new Map<Pair, Target | 'modules'>()
  for (const [right, { pair, target }] of examined.namedPairs) {
    if (target) targets.set(pair, target)
    else if (right === 'list' || right === 'prop' || right === 'meta') targets.set(pair, 'modules')
  }
  return examined.pairs
    .filter(pair => examined.names.get(pair.name) === pair && !isImplied(pair))
    .map(pair => {
      if (isSensitive(pair.name)) return `${encode(pair.name)}=${hidden}`
      if (pair.isMalformed) return textOf(pair)
      return `${encode(pair.name)}=${encode(writtenValue(pair, targets.get(pair), examined))}`
    })
    .join('&')
}

const isImplied = ({ name, value }: Pair): boolean => name === 'action' && value === 'query'

function writtenValue(pair: Pair, target: Target | 'modules' | undefined, examined: Examined): string {
  if (target === 'modules') return distinct(pair, examined)
  if (target?.parameter.multi) return target.parameter.allows_duplicates ? pair.value : distinct(pair, examined)
  if (target?.parameter.type !== 'limit' || pair.value === highestLimit) return pair.value
  const limit = asNumber(pair.value)
  return limit === null
    ? pair.value
    : String(Math.min(Math.max(limit, examined.knowledge.limit.min), topLimit(examined)))
}

function distinct(pair: Pair, examined: Examined): string {
  const texts = partsOf(pair, examined).map(({ text }) => text)
  const once = [...new Set(texts)]
  return once.length === texts.length ? pair.value : joinValues(once, pair.value)
}
