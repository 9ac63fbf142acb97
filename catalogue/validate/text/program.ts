// Queries in code of any language: the address of a call, and its texts, objects, lists and pairs.

import { choosing } from './expressions.ts'
import { chooses } from './frame.ts'
import { type Code, type Literal, maskHoles, slice } from './literal.ts'
import { describe, takeCalls } from './objects.ts'
import { type Run, runsOf } from './runs.ts'
import { isSign, type Member, type Node, readGroups, type Taken } from './tokens.ts'

/** Usual names for the data of a request. */
const data = /^(?:\w*(?:params?|data)|parameters|body|query|payload|args|fields|qs)$/i
const addressed = /^(?:(?:GET|POST|HEAD) )?(?:(?:https?:)?\/\/\S|\/?(?:[\w.-]+\/)*api\.php(?:\?|$))/i
const pairsOfQuery =
  /^(?:[?&][\w%[\]-]+=|[^\s?]*\?(?=\w+=)|(?=(?:[\w-]+=[^&\s]*&)*(?:action|list|prop|meta|generator)=)|\s*\{\s*["'])/i

/** @returns null if no object, list or text of the program contains a query; undefined for too long a program */
export function readProgram(text: string): Code | null | undefined {
  const groups = readGroups(text)
  if (!groups) return undefined
  const [root] = groups
  // A plain query whose value looks like code.
  if (!root || root.nodes.some((node, at) => isSign(node, '&') && isSign(root.nodes[at + 2], '='))) return null
  // Inner groups come later in the list.
  for (const group of groups.toReversed()) describe(group, text)
  const given = new Map<string, Taken>()
  for (const group of groups) takeCalls(group, text, given)

  const isSpread = new Set(groups.flatMap(({ spreads }) => spreads))
  const objects = groups.filter(({ members }) => members.length > 0)
  const groupsOf = Map.groupBy(groups, ({ name }) => name)
  groupsOf.delete('')
  const addedTo = (name: string): Taken => given.get(name) ?? { members: [], spreads: [] }
  /** An object with its additions, or everything that the text shows of a variable. */
  const wholeOf = (object: Node): Taken[] => [object, addedTo(object.name)]
  const variable = (name: string): Taken[] => [...(groupsOf.get(name) ?? []), addedTo(name)]
  const holdsQuery = ({ members }: Taken) => members.some(({ name }) => choosing.test(name.text))
  const namesModules = ({ members, spreads }: Taken) =>
    spreads.length > 0 || members.some(({ name }) => name.text !== 'action' && choosing.test(name.text))
  const holdingNames = new Set([...groupsOf.keys(), ...given.keys()].filter(name => variable(name).some(holdsQuery)))
  const asksQuery = (whole: readonly Taken[]) =>
    whole.some(taken => holdsQuery(taken) || taken.spreads.some(name => holdingNames.has(name)))

  const first =
    objects
      .filter(({ name }) => !isSpread.has(name))
      .map(wholeOf)
      .find(asksQuery) ??
    [...given.keys()].map(variable).find(asksQuery) ??
    objects
      .filter(each => (data.test(each.name) || isWhole(each, root)) && !each.members.some(hasAddress))
      .map(wholeOf)[0] ??
    []
  // .query({ action: 'query' }).query({ list: 'random' })
  const further = first.some(namesModules)
    ? undefined
    : objects.find(each => !first.includes(each) && namesModules(each))
  const whole = first.length > 0 && further ? [...first, ...wholeOf(further)] : first
  const own = whole.flatMap(({ members }) => members)
  const spreads = [...new Set(whole.flatMap(({ spreads }) => spreads))]
  const ownNames = new Set(own.map(({ name }) => name.text))
  const taken = spreads
    .flatMap(variable)
    .filter(each => !whole.includes(each))
    .flatMap(({ members }) => members)
    .filter(({ name }) => !ownNames.has(name.text))
  const leftOut = spreads.filter(name => !groupsOf.has(name))

  const runs = Map.groupBy(runsOf(root, text), kindOf)
  const queries = runs.get('query') ?? []
  // ["-d", "action=query", "-d", "rnlimit=5"]
  const lists = new Set(queries.map(({ group }) => group))
  const pairs = (runs.get('pair') ?? []).filter(({ group }) => lists.has(group))
  return {
    addresses: (runs.get('address') ?? []).map(({ literal }) => withoutMethod(literal)),
    parts: [...taken, ...own, ...[...queries, ...pairs].map(({ literal }) => ({ values: [literal] }))],
    leftOut,
  }
}

/** What a text is by its beginning; an address may begin with a value of the program: `${base}?action=query`. */
function kindOf({ literal }: Run): 'address' | 'query' | 'pair' | 'other' {
  const masked = maskHoles(literal)
  if (addressed.test(masked) || (literal.marks[0] === 'x' && /^[\w./-]+\?\w+=/.test(masked))) return 'address'
  return pairsOfQuery.test(masked) ? 'query' : /^[\w[\]-]+=/.test(masked) ? 'pair' : 'other'
}

const hasAddress = ({ values }: Member): boolean =>
  values.some(({ text }) => addressed.test(text) && chooses.test(text))

/** An object that is the whole program. */
const isWhole = ({ parent, open, name }: Node, root: Node): boolean =>
  open === '{' && parent === root && name === '' && root.nodes.every(({ text }) => /^[\s;,]?$/.test(text))

/** The address in a log line: `GET /w/api.php HTTP/1.1`. */
function withoutMethod(literal: Literal): Literal {
  const [, method = '', path = ''] = /^((?:GET|POST|HEAD) )?(\S*)/i.exec(literal.text) ?? []
  return method === '' ? literal : slice(literal, method.length, method.length + path.length)
}
