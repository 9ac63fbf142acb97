// Queries in code of any language: the address of a call, and its texts, objects, lists and pairs.
import { type Code, type CodePart, expression, join, type Literal, slice } from './literal.ts'
import { choosing, describe, naming, takeCalls } from './objects.ts'
import { type Group, isSign, type Node, readGroups, type Taken, textOf } from './tokens.ts'

/** Usual names for the data of a request. */
const data = /^(?:params?|parameters|data|body|query|payload|args|fields|qs|search_?params|post_?data)$/i
const addressed = /^(?:(?:GET|POST|HEAD) )?(?:(?:https?:)?\/\/\S|\/?(?:[\w.-]+\/)*api\.php(?:\?|$))/i
const pairsOfQuery =
  /^(?:[?&][\w%[\]-]+=|[^\s?]*\?(?=\w+=)|(?=(?:[\w-]+=[^&\s]*&)*(?:action|list|prop|meta|generator)=)|\s*\{\s*["'])/i

/** @returns null if no object, list or text of the program contains a query */
export function readProgram(text: string): Code | null {
  const groups = readGroups(text)
  const [root] = groups
  // A plain query whose value looks like code.
  if (!root || root.nodes.some((node, at) => isSign(node, '&') && isSign(root.nodes[at + 2], '='))) return null
  // Inner groups come later in the list.
  for (const group of groups.toReversed()) describe(group, text)
  const runs = groups.flatMap(group => runsOf(group.nodes))
  const addresses = runs.filter(({ text }) => addressed.test(text)).map(withoutMethod)
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
    (asked ? undefined : objects.find(each => data.test(each.name) || isWhole(each, root)))
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
  const queries = runs.filter(({ text }) => !addressed.test(text) && pairsOfQuery.test(text))
  // "&".join(["action=query", "list=random", "rnlimit=5"])
  const listed = groups.flatMap(({ values }) =>
    values?.some(({ text }) => pairsOfQuery.test(text)) && values.every(({ text }) => /^[\w[\]-]+=/.test(text))
      ? values
      : [],
  )
  return { addresses, parts: [...parts, ...[...queries, ...listed].map(query => ({ query }))], leftOut }
}

/** An object that is the whole program. */
const isWhole = ({ parent, open, name }: Group, root: Group): boolean =>
  open === '{' &&
  parent === root &&
  name === '' &&
  root.nodes.every(node => node.kind === 'group' || /^[\s;,]$/.test(textOf(node)))

/** Methods of a text, not part of it: `'titles={}'.format(title)`. */
const ofText = /^(?:concat|format|formatted|replace|strip|to_?string|trim)$/i

/** Concatenated texts, with the expressions in between. */
function runsOf(nodes: readonly Node[]): Literal[] {
  const runs: Literal[] = []
  let run: Literal[] = []
  let isJoined = false
  for (const node of nodes) {
    if (node.kind === 'line') continue
    if (/^(?:\+|\.|\.\.|\\|&)$/.test(textOf(node))) {
      isJoined = run.length > 0
      continue
    }
    if (node.kind === 'text' && (isJoined || run.length === 0)) run.push(node.literal)
    else if (isJoined && node.kind === 'word' && !ofText.test(textOf(node)))
      run.push(expression(`\${${textOf(node)}}`, node.start))
    else if (!(isJoined && node.kind === 'group')) {
      if (run.length > 0) runs.push(join(run))
      run = node.kind === 'text' ? [node.literal] : []
    }
    isJoined = false
  }
  return run.length > 0 ? [...runs, join(run)] : runs
}

/** The address in a log line: `GET /w/api.php HTTP/1.1`. */
function withoutMethod(literal: Literal): Literal {
  const [, method = '', path = ''] = /^((?:GET|POST|HEAD) )?(\S*)/i.exec(literal.text) ?? []
  return method === '' ? literal : slice(literal, method.length, method.length + path.length)
}
