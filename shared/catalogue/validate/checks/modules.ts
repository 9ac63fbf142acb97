// Finds the modules that a query chooses, and what is wrong with its choice.
import type { Found } from '../finding.ts'
import { type Chosen, choosing, type Knowledge, type Role } from '../knowledge.ts'
import { isSeveral, type Pair, readParts } from '../text/pairs.ts'
import { extensionOf } from '../words.ts'
import { splitAsMeant } from './values.ts'

type Choice = { chosen: Chosen[]; found: Found[] }

/** What one pair chooses. @param key what the pair stands for, whatever its own name */
export const chooseBy = (key: Role, pair: Pair, knowledge: Knowledge): Choice =>
  pair.isOpen
    ? { chosen: [], found: [] }
    : key === 'generator'
      ? chooseGenerator(pair, knowledge)
      : chooseSeveral(key, pair, knowledge)

export const isChoosing = (name: string): name is Role => choosing.some(known => known === name)

function chooseGenerator(pair: Pair, knowledge: Knowledge): Choice {
  const { name } = pair
  if (pair.value === '') return { chosen: [], found: [] }
  const found: Found[] = isSeveral(pair) ? [{ rule: 'generator-not-single', name, pair }] : []
  const [part] = isSeveral(pair) ? readParts(pair) : []
  const module = knowledge.modules.get(part ? part.text : pair.value)
  const at = { name, pair, ...(part && { part }) }
  if (!module) return { chosen: [], found: [...found, { rule: ruleOfUnknown(part?.text ?? pair.value), ...at }] }
  if (!module.generator) return { chosen: [], found: [...found, { rule: 'generator-not-supported', ...at, module }] }
  return { chosen: [{ module, role: 'generator' }], found }
}

function chooseSeveral(key: Exclude<Role, 'generator'>, pair: Pair, knowledge: Knowledge): Choice {
  const { name } = pair
  const chosen: Chosen[] = []
  const found: Found[] = []
  const times = new Map<string, number>()
  const meant = splitAsMeant(pair, text => knowledge.modules.get(text)?.group === key)
  if (meant) {
    const modules = meant.flatMap(text => knowledge.modules.get(text) ?? [])
    return { chosen: modules.map(module => ({ module, role: key })), found: [{ rule: 'wrong-separator', name, pair }] }
  }
  for (const part of readParts(pair)) {
    const time = (times.get(part.text) ?? 0) + 1
    times.set(part.text, time)
    const module = knowledge.modules.get(part.text)
    if (time === 1 && !module) found.push({ rule: ruleOfUnknown(part.text), name, pair, part })
    if (!module) continue
    if (time === 1) chosen.push({ module, role: module.group })
    for (const rule of rulesOf(key, { module, role: module.group }, time))
      found.push({ rule, name, pair, part, module })
  }
  return { chosen, found }
}

const ruleOfUnknown = (name: string) => (extensionOf(name) ? 'extension-module' : 'unknown-module')

/** Each of these once for a module, however often it is named. */
function rulesOf(key: Role, { module, role }: Chosen, time: number): Found['rule'][] {
  if (time === 2) return ['module-repeated']
  if (time > 2) return []
  return [
    ...(role === key ? [] : ['wrong-group' as const]),
    ...(module.deprecated ? ['module-deprecated' as const] : []),
  ]
}
