// A query as a form: a card for each chosen module, with a field for each of its parameters.
import { bareName, fragment, modulePage } from '../../../addresses.ts'
import { explainModule, explainParameter } from '../../../notations/sentences.ts'
import type { Finding, Report } from '../../../report.ts'
import {
  type Chosen,
  type Knowledge,
  type KnownModule,
  type KnownParameter,
  pageSets,
  wireName,
} from '../../../validate/knowledge.ts'
import { isSensitive } from '../../../validate/text/pairs.ts'
import { effectivePairs } from '../../../validate/text/query.ts'
import type { ChangeKind } from '../session/history.ts'
import { valuesOf } from './changes.ts'

export type Field = {
  /** Its name in the query, with the module's prefix. */
  name: string
  parameter: KnownParameter
  /** Null if the name is absent. */
  value: string | null
  /** The values, if the parameter takes several. While the name is absent, an enumeration has its default's. */
  values: readonly string[]
  /** The values of an enumeration while the name is absent. */
  defaults: readonly string[]
  /** Required, or in a group of which one is required. */
  isNeeded: boolean
  findings: readonly Finding[]
  /** Hints before filling it in, one sentence each. */
  hints(): readonly string[]
  /** The address of the parameter's description. */
  reference?: string
}

export type Card = {
  key: string
  /** Absent for the card of titles, pageids and revids. */
  chosen?: Chosen
  /** Rules between the fields, one sentence each. */
  rules: readonly string[]
  /** Findings about no single field: that all of a group are missing. */
  findings: readonly Finding[]
  fields: readonly Field[]
}

export const readChosen = ({ modules }: Report, knowledge: Knowledge): Chosen[] =>
  modules.flatMap(({ path, role }) => {
    const module = knowledge.modules.get(bareName(path))
    return module ? { module, role } : []
  })

export function readCards(text: string, report: Report, knowledge: Knowledge): Card[] {
  const chosen = readChosen(report, knowledge)
  const pairs = effectivePairs(text)
  const findings = groupFindings(report, chosen)
  const read = (name: string, parameter: KnownParameter) => {
    const pair = pairs.get(name)
    const { type, multi, default: written } = parameter
    const defaults = type === 'enum' && multi && written ? String(written).split('|') : []
    return {
      name,
      parameter,
      value: pair?.value ?? null,
      values: pair ? valuesOf(pair) : defaults,
      defaults,
      isNeeded: parameter.required === true,
      findings: findings.get(name) ?? [],
    }
  }
  const cards = chosen.map((each): Card => {
    const { module, role } = each
    const nameOf = (parameter: string) => wireName(each, parameter)
    const alternatives = alternativesIn(module)
    const fields = [...module.parameters.values()].map((parameter): Field => {
      const field = read(nameOf(parameter.name), parameter)
      return {
        ...field,
        isNeeded: field.isNeeded || alternatives.has(parameter.name),
        findings: field.findings.filter(finding => !isOfCard(finding)),
        hints: () => hintsOf(parameter, nameOf, knowledge),
        reference: modulePage(module.path) + fragment(parameter.name),
      }
    })
    return {
      key: `${role} ${module.name}`,
      chosen: each,
      rules: explainModule(module, nameOf),
      findings: fields.flatMap(({ name }) => (findings.get(name) ?? []).filter(isOfCard)),
      fields,
    }
  })
  const generator = chosen.find(({ role }) => role === 'generator')
  const needsPages = (generator ? [generator] : chosen).some(({ module }) => module.group === 'prop')
  if (!needsPages && !pageSets.some(name => pairs.has(name))) return cards
  return [pagesCard(read, needsPages ? [rulesOfPages[generator ? 'generator' : 'none']] : []), ...cards]
}

const alternativesIn = ({ relations }: KnownModule): Set<string> =>
  new Set(
    relations.flatMap(relation =>
      relation.kind === 'exactly-one' || relation.kind === 'at-least-one' ? relation.parameters : [],
    ),
  )

/** Whether all of a group are missing. A given field that needs another has a span. */
const isOfCard = ({ rule, span }: Finding): boolean => rule === 'needs' && span === undefined

const rulesOfPages = {
  none: 'Give one of titles, pageids and revids, or choose a generator, which finds the pages.',
  generator: 'Give one of titles, pageids and revids: the generator begins with these pages.',
}

/** The three parameters that name a query's pages, described like a module's. */
const pageParameters: readonly [KnownParameter, hint: string][] = [
  [{ name: 'titles', type: 'title', multi: true }, 'The titles of pages, such as Main Page.'],
  [{ name: 'pageids', type: 'int', multi: true }, 'The numbers of pages.'],
  [{ name: 'revids', type: 'int', multi: true }, 'The numbers of revisions.'],
]

const pagesCard = (read: (name: string, parameter: KnownParameter) => Omit<Field, 'hints'>, rules: string[]): Card => ({
  key: 'pages',
  rules,
  findings: [],
  fields: pageParameters.map(([parameter, hint]) => ({ ...read(parameter.name, parameter), hints: () => [hint] })),
})

/** Groups findings by field. A finding about a wrong name belongs to the intended field. */
function groupFindings({ findings }: Report, chosen: readonly Chosen[]): Map<string, Finding[]> {
  const grouped = new Map<string, Finding[]>()
  for (const finding of findings) {
    const { name, module, parameter } = finding
    const names = chosen
      .filter(each => parameter !== undefined && each.module.path === module)
      .map(each => wireName(each, parameter ?? ''))
    const field = names.includes(name) ? name : (names[0] ?? name)
    grouped.set(field, [...(grouped.get(field) ?? []), finding])
  }
  return grouped
}

function hintsOf(parameter: KnownParameter, nameOf: (name: string) => string, { values, limit }: Knowledge): string[] {
  const { name, type, multi, default: defaultValue, all_specifier, extra_namespaces, ...rest } = parameter
  const isBounded = multi && (parameter.values?.size ?? Number.POSITIVE_INFINITY) > values.normal
  const written = explainParameter(
    {
      ...rest,
      type,
      ...(isBounded && { multi }),
      value_limit: values.normal,
      value_high_limit: values.high,
      max: limit.normal,
      highmax: limit.high,
      ...(isSensitive(nameOf(name)) && { sensitive: true as const }),
    },
    nameOf,
  )
  return [
    ...(name === 'continue' ? ['It comes from an answer, to get what follows: leave it empty at first.'] : []),
    ...(type === 'ns'
      ? [`The number of a namespace: 0 holds articles${extra_namespaces ? ', -1 and -2 work too' : ''}.`]
      : []),
    ...(type === 'int' ? ['A whole number.'] : []),
    ...(type === 'limit' ? [`From ${limit.min}, or max.`] : []),
    // The list itself marks deprecated values.
    ...written.filter(sentence => !sentence.startsWith('Deprecated')),
    ...(all_specifier && type !== 'enum' ? [`${all_specifier} stands for all.`] : []),
    ...(multi && defaultValue !== undefined && defaultValue !== ''
      ? [`Default: ${String(defaultValue).replaceAll('|', ', ')}.`]
      : []),
  ]
}

export type Put = { value(value: string | null, kind: ChangeKind): void; values(values: readonly string[]): void }

/** Links a control to its label and its notes. */
type Described = { id: string; 'aria-describedby': string; 'aria-invalid': boolean }

/** The builder's props of each control: a field, a way to change it, and its description. */
export type ControlProps = { field: Field; put: Put; described: Described }
