// Which modules the query asks for, and for which pages.
import { findClear, findMeant } from '../../nearest.ts'
import { isChoosing } from '../checks/modules.ts'
import { isChosen } from '../chosen.ts'
import type { Examined, Found } from '../finding.ts'
import { type KnownModule, pageSets } from '../knowledge.ts'
import { readParts } from '../text/pairs.ts'
import { extensionOf } from '../words.ts'
import { asking, choosing, keep, likeliest, losing, type RuleText, remove, replace, swapPart } from './fixes.ts'
import { list, quote, short } from './phrases.ts'

export const modules = {
  'no-module': {
    message: () => 'The query asks for nothing: name a module in list, prop, meta or generator.',
    fixes: () => [],
  },
  'unknown-module': {
    message: (found, examined, suggestions = []) => {
      const near = suggestions.length > 0 ? findMeant(wantedModule(found), modulesFor(found, examined)) : []
      const advice = near.length > 0 ? `write ${list(near, 'or')}` : `${short(found.name)} cannot ask for it`
      return `The catalogue has no module ${quote(wantedModule(found))}: ${advice}.`
    },
    compared: (_, { knowledge }) => knowledge.modules.size,
    fixes: (found, examined) => {
      const names = modulesFor(found, examined)
      const near = findMeant(wantedModule(found), names)
      const isClear = findClear(wantedModule(found), names) !== undefined
      // A generator is one value: the others go too.
      if (keyOf(found) === 'generator')
        return [
          ...likeliest(
            near.map(name => replace(found.name, name)),
            isClear,
          ),
          remove(found.name),
        ]
      return [
        ...likeliest(
          near.flatMap(name => swapPart(found, [name])),
          isClear,
        ),
        ...swapPart(found),
      ]
    },
  },
  'extension-module': {
    message: (found, { knowledge }) => {
      const wanted = wantedModule(found)
      return `${wanted} is not among the ${knowledge.modules.size} modules of this catalogue: it belongs to the extension ${extensionOf(wanted)}, and an extension's module is not checked.`
    },
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
      // With others of prop it was to find their pages.
      return [examined.namedPairs.has('prop') ? choosing(moved) : moved, remove(found.name)]
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
  'no-page-set': {
    message: ({ module }, examined) => {
      const isGenerator = module && isChosen(examined, { module, role: 'generator' })
      const ways = isGenerator ? [...pageSets] : [...pageSets, 'a generator']
      return `${module?.name} looks at pages, and the query names none: add ${list(ways, 'or')}.`
    },
    fixes: () => [],
  },
  'page-set-conflict': {
    message: ({ names = [] }) =>
      `${list(names.map(short))} each say which pages are meant, and one alone may: keep one.`,
    fixes: ({ names = [] }) => names.map(name => keep(name, names)),
  },
} as const satisfies Record<string, RuleText>

const wantedModule = ({ pair, part }: Found): string => part?.text ?? pair?.value ?? ''

const keyOf = ({ name }: Found): string => name.toLowerCase()

/** The names of the modules that a pair can ask for. */
function modulesFor(found: Found, { knowledge }: Examined): string[] {
  const key = keyOf(found)
  const can = ({ group, generator }: KnownModule) => (key === 'generator' ? generator : group === key)
  return isChoosing(key) ? [...knowledge.modules.values()].filter(can).map(({ name }) => name) : []
}

/** Asks for the module in its own group. */
function move(
  edits: ReturnType<typeof remove>['edits'],
  { module }: Found,
  examined: Examined,
): ReturnType<typeof remove> {
  const { group = '', name = '' } = module ?? {}
  return { label: `Ask for ${name} by ${group}`, edits: [...edits, asking(group, name, examined)] }
}
