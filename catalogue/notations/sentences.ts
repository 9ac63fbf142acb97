// Sentences for facts beyond schemas and types: limits of callers, conditions, relations.
import type { Condition, Parameter, Relation } from '../model.ts'

/** The name of a parameter in a sentence: its bare name, or its name in a query. */
export type NameOf = (parameter: string) => string

type Explained = Omit<Parameter, 'index' | 'name' | 'values'>

/** Sentences about a parameter, beside its type and default. */
export function explainParameter(parameter: Explained, nameOf: NameOf): string[] {
  const { type, subtypes, multi, value_limit, value_high_limit, max, highmax, sensitive } = parameter
  const { deprecated_values, conditions = [] } = parameter
  return [
    ...(type === 'ts' ? ['A timestamp, such as 2001-01-15T14:56:00Z.'] : []),
    ...(type === 'title' ? ['The title of a page.'] : []),
    ...(subtypes ? [`A user, given by ${join(subtypes.map(inWords), 'or')}.`] : []),
    ...(multi ? [`At most ${value_limit} values, ${value_high_limit} for callers with the high limit.`] : []),
    ...(type === 'limit' ? [`At most ${max}, ${highmax} for callers with the high limit.`] : []),
    ...(deprecated_values ? [`Deprecated values: ${deprecated_values.join(', ')}.`] : []),
    ...(sensitive ? ['It is secret: send it in the body of a POST, never in a URL.'] : []),
    ...conditions.map(condition => explainCondition(condition, nameOf)),
  ]
}

export const explainModule = ({ relations = [] }: { relations?: readonly Relation[] }, nameOf: NameOf): string[] =>
  relations.map(relation => explainRelation(relation, nameOf))

const subtypeWords: Record<string, string> = {
  name: 'name',
  ip: 'IP address',
  cidr: 'range of IP addresses',
  interwiki: 'name on another wiki (wiki>name)',
  id: 'id (#123)',
}
const inWords = (subtype: string): string => subtypeWords[subtype] ?? subtype

/** The modes of deletedrevs. */
const modes = ['', 'for given pages', 'with {user}', 'with neither given pages nor {user}']

function explainCondition({ name, values = [] }: Condition, nameOf: NameOf): string {
  const user = nameOf('user')
  switch (name) {
    case 'useronly':
      return `Use it only together with ${user}.`
    case 'nonuseronly':
      return `Do not use it together with ${user}.`
    case 'singlepageonly':
      return 'Use it only where the query is about one page: one title, one page id, or a generator with the limit 1.'
    case 'modes': {
      const works = values.map(mode => String(modes[mode]).replace('{user}', user))
      return `Use it ${join(works, 'or')}.`
    }
    default:
      throw new Error(`Write a sentence for the condition ${name}`)
  }
}

function explainRelation(relation: Relation, nameOf: NameOf): string {
  if (relation.kind === 'needs') {
    return `Give ${nameOf(relation.parameter)} only together with ${nameOf(relation.needs)}.`
  }
  return `Give ${relation.kind.replaceAll('-', ' ')} of ${join(relation.parameters.map(nameOf), 'and')}.`
}

const join = (words: string[], last: 'and' | 'or'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
