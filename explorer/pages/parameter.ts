import { fragment, setPage, valueId } from '../../shared/catalogue/addresses.ts'
import type { Module, Parameter } from '../../shared/catalogue/model.ts'
import { explainParameter } from '../../shared/catalogue/notations/sentences.ts'
import { html, join, type Markup } from '../../shared/prebuilt/markup.ts'
import { termLink } from './glossary.ts'
import { parameterSentence } from './parameter-sentence.ts'

/** What goes before a parameter's name in a query; a set has no names of its own there. */
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
  const notes = explainParameter(parameter, named).filter(note => !note.startsWith('Deprecated values'))
  return html`<li class="parameter" id="${name}">
    <h3><a class="anchor" href="${fragment(name)}"><code><span class="prefix">${prefix}</span>${name}</code></a></h3>
    <p class="kind">${typeOf(parameter)}
    ${required ? html` <strong class="badge required">required</strong>` : null}
    ${deprecated ? html` <span class="badge deprecated">deprecated</span>` : null}
    ${sensitive ? html` <span class="badge secret">secret</span>` : null}
    </p>
    <div class="facts">
    ${says === null ? null : html`<p>${says}</p>`}
    ${writeDefault(parameter)}
    ${writeValues(parameter)}
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

/** The types that the glossary explains. */
const termOf: Partial<Record<Parameter['type'], string>> = { limit: 'limit', ns: 'namespace' }

function typeOf({ type, multi }: Parameter): Markup {
  const [single, several] = typeWords[type]
  const word = multi ? several : single
  const term = termOf[type]
  const more = multi ? html` ${termLink('pipe', 'joined with |')}` : null
  return html`<span class="type">${term ? termLink(term, word) : word}${more}</span>`
}

function writeDefault(parameter: Parameter): Markup | null {
  const { default: value, type, values = [], name } = parameter
  if (value === undefined) return null
  if (value === '') return html`<p>Default: nothing.</p>`
  const parts = parameter.multi ? String(value).split('|') : [String(value)]
  const written = parts.map(part =>
    type === 'enum' && values.includes(part)
      ? html`<a href="${fragment(valueId(name, part))}"><code>${part}</code></a>`
      : html`<code>${part}</code>`,
  )
  return html`<p>Default: ${join(written, ' | ')}.</p>`
}

function writeValues(parameter: Parameter): Markup | null {
  const { name, values, values_set, deprecated_values = [], extra_namespaces, all_specifier } = parameter
  const parts: Markup[] = []
  if (values) {
    parts.push(html`<ul class="values">
      ${values.map(value => html`<li id="${valueId(name, value)}">${writeValue(value, deprecated_values)}</li>`)}
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

/** A parameter's name in a sentence, until `linkNames` makes a link of it. */
export const named = (parameter: string): string => `{${parameter}}`

/** A sentence with its parameters' names as in a query, each a link to the parameter. */
export function linkNames(sentence: string, prefix: string): Markup {
  const parts = sentence.split(/\{(\w+)\}/)
  return html`${parts.map((part, index) =>
    index % 2 === 0 ? html`${part}` : html`<a href="${fragment(part)}"><code>${prefix}${part}</code></a>`,
  )}`
}

/** A value of an enumeration; the empty one has nothing to see. */
export function writeValue(value: string, deprecated: readonly string[]): Markup {
  const code = value === '' ? html`<i>empty</i>` : html`<code>${value}</code>`
  return deprecated.includes(value) ? html`${code} <span class="badge deprecated">deprecated</span>` : code
}
