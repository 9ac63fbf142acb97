// Finds a query's modules, and mistakes in their choice.
import type { Examined, Found, Reading } from '../finding.ts'
import { type Chosen, choosing, type Knowledge, type Role } from '../knowledge.ts'
import { asChoice, asking, losing, type RuleText, remove, replace, swapPart } from '../rule-texts/fixes.ts'
import { short } from '../rule-texts/phrases.ts'
import { isSeveral, type Pair, readParts } from '../text/pairs.ts'
import { extensionOf } from '../words.ts'
import { splitAsMeant } from './several-values.ts'

type Choice = { chosen: Chosen[]; found: Found[] }

/** The modules of a pair. @param key the pair's meaning, whatever its own name */
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

/** The modules in a query that the catalogue does not have: those of extensions are among them. */
export const askedAbsent = ({ names, knowledge }: Pick<Reading, 'names' | 'knowledge'>): string[] =>
  choosing.flatMap(key => {
    const pair = names.get(key)
    const asked = pair ? readParts(pair).map(({ text }) => text) : []
    return asked.filter(text => !knowledge.modules.has(text))
  })

/** The rules that apply once for a module, however often it is named. */
function rulesOf(key: Role, { module, role }: Chosen, time: number): Found['rule'][] {
  if (time === 2) return ['module-repeated']
  if (time > 2) return []
  return [
    ...(role === key ? [] : ['wrong-group' as const]),
    ...(module.deprecated ? ['module-deprecated' as const] : []),
  ]
}

/** The message and suggestions of each rule. */
export const moduleTexts = {
  'no-module': {
    message: () => 'The query asks for nothing: name a module in list, prop, meta or generator, or pages.',
    fixes: () => [],
  },
  'wrong-group': {
    message: ({ name, module }) =>
      `${module?.name} is a ${module?.group} module: ask for it by ${module?.group}=${module?.name}, not by ${short(name)}.`,
    fixes: (found, examined) => swapPart(found).map(({ edits }) => move(edits, found, examined)),
  },
  'generator-not-supported': {
    message: ({ module }) =>
      `${module?.name} cannot be a generator: ask for it by ${module?.group}=${module?.name}, or choose one that can.`,
    fixes: (found, examined) => {
      const moved = move(remove(found.name).edits, found, examined)
      // Beside other prop modules it was meant to find their pages.
      return [examined.namedPairs.has('prop') ? asChoice(moved) : moved, remove(found.name)]
    },
  },
  'generator-not-single': {
    message: ({ name }) => `${short(name)} takes one module, and the first of these is taken: leave one.`,
    fixes: ({ name, pair }, { knowledge }) => {
      const able = pair ? readParts(pair).filter(({ text }) => knowledge.modules.get(text)?.generator) : []
      return [...new Set(able.map(({ text }) => text))].map(text => losing(replace(name, text)))
    },
  },
  'module-deprecated': {
    message: ({ module }) => `The module ${module?.name} is deprecated: it works for now, and may be taken away.`,
    fixes: () => [],
  },
  'module-repeated': {
    message: ({ name, module }) => `${module?.name} stands in ${short(name)} more than once: once is enough.`,
    fixes: found => (found.part ? swapPart(found, [found.part.text]) : []),
  },
} as const satisfies Record<string, RuleText>

/** Moves the module to its own group. */
function move(
  edits: ReturnType<typeof remove>['edits'],
  { module }: Found,
  examined: Examined,
): ReturnType<typeof remove> {
  const { group = '', name = '' } = module ?? {}
  return { label: `Ask for ${name} by ${group}`, edits: [...edits, asking(group, name, examined)] }
}
