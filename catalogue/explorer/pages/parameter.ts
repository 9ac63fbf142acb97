import { html, join, type Markup } from '../../../shared/prebuilt/markup.ts'
import { fragment, setPage, valueId } from '../../addresses.ts'
import type { Module, Parameter } from '../../model.ts'
import { explainParameter } from '../../notations/sentences.ts'
import sentences from '../../words/value-sentences.json' with { type: 'json' }
import { linkTerms, termLink } from './glossary.ts'
import { parameterSentence } from './parameter-sentence.ts'

/** Meanings of values that people ask for, by `module.parameter`. */
const valueSentences: Record<string, Partial<Record<string, string>>> = sentences

/** The module of these parameters; null for a set, which a query does not name. */
type Owner = Pick<Module, 'name' | 'parameters' | 'prefix' | 'generator'> | null

/** Deprecated ones come last. */
export const writeParameters = (parameters: readonly Parameter[], owner: Owner): Markup => html`<ol class="parameters">
    ${[...parameters.filter(isCurrent), ...parameters.filter(each => !isCurrent(each))].map(each => writeParameter(each, owner))}
    </ol>`

const isCurrent = ({ deprecated }: Parameter): boolean => !deprecated

function writeParameter(parameter: Parameter, owner: Owner): Markup {
  const { name, required, deprecated, sensitive } = parameter
  const prefix = owner?.prefix ?? ''
  const says = parameterSentence(parameter, owner)
  // Notes beside the values themselves are not repeated.
  const notes = explainParameter(parameter, named).filter(note => !/^(?:Deprecated values|At most)/.test(note))
  return html`<li class="parameter" id="${name}">
    <h3><a class="anchor" href="${fragment(name)}"><code><span class="prefix">${prefix}</span>${name}</code></a></h3>
    <p class="kind">${typeOf(parameter)}
    ${required ? html` <strong class="badge required">required</strong>` : null}
    ${deprecated ? html` <span class="badge deprecated">deprecated</span>` : null}
    ${sensitive ? html` <span class="badge secret">secret</span>` : null}
    </p>
    <div class="facts">
    ${says === null ? null : html`<p>${linkTerms(says)}</p>`}
    ${writeDefault(parameter)}
    ${writeValues(parameter, owner)}
    ${notes.map(note => html`<p>${linkNames(note, prefix)}</p>`)}
    </div>
    </li>`
}

const typeWords: Record<Parameter['type'], readonly [single: string, several: string]> = {
  str: ['text', 'texts'],
  int: ['integer', 'integers'],
  bool: ['flag', 'flags'],
  ts: ['timestamp', 'timestamps'],
  title: ['page title', 'page titles'],
  ns: ['namespace', 'namespaces'],
  user: ['user', 'users'],
  limit: ['limit', 'limits'],
  enum: ['one of the values', 'any of the values'],
}

/** The types in the glossary. */
const termOf: Partial<Record<Parameter['type'], string>> = { limit: 'limit', ns: 'namespace' }

/** The type, the number of values, and the maximum of a limit. */
function typeOf({ type, multi, value_limit, value_high_limit, max, highmax }: Parameter): Markup {
  const [single, several] = typeWords[type]
  const word = multi ? several : single
  const term = termOf[type]
  const joined = multi ? html` ${termLink('pipe', 'joined with |')}` : null
  const [most, highest] = multi ? [value_limit, value_high_limit] : [max, highmax]
  const bound = most === undefined ? null : html`, at most ${most}${writeHighest(highest)}`
  return html`<span class="type">${term ? termLink(term, word) : word}${joined}${bound}</span>`
}

const writeHighest = (highest: number | undefined): Markup | null =>
  highest === undefined ? null : html` (${highest} with the ${termLink('limit', 'high limit')})`

const partsOf = ({ default: value, multi }: Parameter): string[] =>
  value === undefined ? [] : multi ? String(value).split('|') : [String(value)]

/** The default, unless a value in the list is marked as it. */
function writeDefault(parameter: Parameter): Markup | null {
  const { default: value, values = [] } = parameter
  if (value === undefined) return null
  if (value === '') return html`<p>Default: nothing.</p>`
  const parts = partsOf(parameter)
  if (parts.every(part => values.includes(part))) return null
  const written = parts.map(part => html`<code>${part}</code>`)
  return html`<p>Default: ${join(written, ' | ')}.</p>`
}

function writeValues(parameter: Parameter, owner: Owner): Markup | null {
  const { name, values, values_set, deprecated_values = [], extra_namespaces, all_specifier } = parameter
  const parts: Markup[] = []
  if (values) {
    const defaults = partsOf(parameter)
    const lines = valueSentences[`${owner?.name}.${name}`] ?? {}
    const says = (value: string) => (lines[value] ? html` <span class="note">${lines[value] ?? ''}</span>` : null)
    const mark = (value: string) => (value && defaults.includes(value) ? html` <b class="badge">default</b>` : null)
    parts.push(html`<ul class="values">
      ${values.map(value => html`<li id="${valueId(name, value)}">${writeValue(value, deprecated_values)}${mark(value)}${says(value)}</li>`)}
      </ul>`)
  }
  if (values_set) parts.push(html`<p>The values of <a href="${setPage(values_set)}">${values_set}</a>.</p>`)
  if (all_specifier !== undefined) parts.push(html`<p><code>${all_specifier}</code> stands for all of them.</p>`)
  if (extra_namespaces) {
    const codes = extra_namespaces.map(value => html`<code>${value}</code>`)
    parts.push(html`<p>It takes ${join(codes, ' and ')} too.</p>`)
  }
  return parts.length > 0 ? html`${parts}` : null
}

/** A parameter's name in a sentence, a placeholder for `linkNames`. */
export const named = (parameter: string): string => `{${parameter}}`

/** A sentence with its parameters' names as in a query, each a link. */
export function linkNames(sentence: string, prefix: string): Markup {
  const parts = sentence.split(/\{(\w+)\}/)
  return html`${parts.map((part, index) =>
    index % 2 === 0 ? html`${part}` : html`<a href="${fragment(part)}"><code>${prefix}${part}</code></a>`,
  )}`
}

/** A value of an enumeration; the empty one is invisible. */
export function writeValue(value: string, deprecated: readonly string[]): Markup {
  const code = value === '' ? html`<i>empty</i>` : html`<code>${value}</code>`
  return deprecated.includes(value) ? html`${code} <span class="badge deprecated">deprecated</span>` : code
}
