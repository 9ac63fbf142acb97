// Queries in code of any language: the address of a call, and its texts, objects, lists and pairs.

import { choosing } from './expressions.ts'
import { chooses } from './frame.ts'
import { type Code, type CodePart, type Literal, maskHoles, slice } from './literal.ts'
import { describe, naming, takeCalls } from './objects.ts'
import { type Run, runsOf } from './runs.ts'
import { type Group, isSign, type Member, readGroups, type Taken, textOf } from './tokens.ts'

/** Usual names for the data of a request. */
const data = /^(?:params?|parameters|data|body|query|payload|args|fields|qs|search_?params|post_?data)$/i
const addressed = /^(?:(?:GET|POST|HEAD) )?(?:(?:https?:)?\/\/\S|\/?(?:[\w.-]+\/)*api\.php(?:\?|$))/i
const pairsOfQuery =
  /^(?:[?&][\w%[\]-]+=|[^\s?]*\?(?=\w+=)|(?=(?:[\w-]+=[^&\s]*&)*(?:action|list|prop|meta|generator)=)|\s*\{\s*["'])/i

const pair = /^[\w[\]-]+=/

/** @returns null if no object, list or text of the program contains a query; undefined for too long a program */
export function readProgram(text: string): Code | null | undefined {
  const groups = readGroups(text)
  if (!groups) return undefined
  const [root] = groups
  // A plain query whose value looks like code.
  if (!root || root.nodes.some((node, at) => isSign(node, '&') && isSign(root.nodes[at + 2], '='))) return null
  // Inner groups come later in the list.
  for (const group of groups.toReversed()) describe(group, text)
  const runs = runsOf(root, text)
  // `${base}?action=query`
  const isAddressed = ({ literal }: Run) =>
    addressed.test(maskHoles(literal)) || (literal.marks[0] === 'x' && /^[\w./-]+\?\w+=/.test(maskHoles(literal)))
  const addresses = runs.filter(isAddressed).map(({ literal }) => withoutMethod(literal))
  const given = new Map<string, Taken>()
  for (const group of groups) takeCalls(group, text, given)

  const isSpread = new Set(groups.flatMap(({ spreads }) => spreads))
  const objects = groups.filter(({ members }) => members.length > 0)
  const groupsOf = Map.groupBy(groups, ({ name }) => name)
  groupsOf.delete('')
  const addedTo = (name: string): Taken[] => [given.get(name) ?? []].flat()
  /** An object with its additions, or everything that the text shows of a variable. */
  const wholeOf = (object: Group): Taken[] => [object, ...addedTo(object.name)]
  const variable = (name: string): Taken[] => [...(groupsOf.get(name) ?? []), ...addedTo(name)]
  const holdsQuery = ({ members }: Taken) => members.some(({ name }) => choosing.test(name.text))
  const namesModules = ({ members, spreads }: Taken) =>
    spreads.length > 0 || members.some(({ name }) => naming.test(name.text))
  const holdingNames = new Set([...groupsOf.keys(), ...given.keys()].filter(name => variable(name).some(holdsQuery)))
  const asksQuery = (whole: readonly Taken[]) =>
    whole.some(taken => holdsQuery(taken) || taken.spreads.some(name => holdingNames.has(name)))

  const asked = [...given.keys()].map(variable).find(asksQuery)
  const object =
    objects.find(each => !isSpread.has(each.name) && asksQuery(wholeOf(each))) ??
    (asked
      ? undefined
      : objects.find(each => (data.test(each.name) || isWhole(each, root)) && !each.members.some(hasAddress)))
  const first = object ? wholeOf(object) : (asked ?? [])
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
  const parts: CodePart[] = [...taken.filter(({ name }) => !ownNames.has(name.text)), ...own]
  const leftOut = spreads.filter(name => !groupsOf.has(name))
  const isQuery = ({ literal }: Run) => pairsOfQuery.test(maskHoles(literal))
  const others = runs.filter(run => !isAddressed(run))
  // ["-d", "action=query", "-d", "rnlimit=5"]
  const lists = new Set(others.filter(isQuery).map(({ group }) => group))
  const queries = others.filter(run => isQuery(run) || (lists.has(run.group) && pair.test(maskHoles(run.literal))))
  return { addresses, parts: [...parts, ...queries.map(({ literal: query }) => ({ query }))], leftOut }
}

const hasAddress = ({ values }: Member): boolean =>
  values.some(({ text }) => addressed.test(text) && chooses.test(text))

/** An object that is the whole program. */
const isWhole = ({ parent, open, name }: Group, root: Group): boolean =>
  open === '{' &&
  parent === root &&
  name === '' &&
  root.nodes.every(node => node.kind === 'group' || /^[\s;,]$/.test(textOf(node)))

/** The address in a log line: `GET /w/api.php HTTP/1.1`. */
function withoutMethod(literal: Literal): Literal {
  const [, method = '', path = ''] = /^((?:GET|POST|HEAD) )?(\S*)/i.exec(literal.text) ?? []
  return method === '' ? literal : slice(literal, method.length, method.length + path.length)
}
