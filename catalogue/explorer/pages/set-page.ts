import { html, join, type Markup } from '../../../shared/prebuilt/markup.ts'
import { fragment, indexPage, modulePage } from '../../addresses.ts'
import type { Catalogue, Module, SharedSet } from '../../model.ts'
import type { Page } from './frame.ts'
import { writeParameters, writeValue } from './parameter.ts'

export const setKinds: Record<SharedSet['kind'], string> = {
  values: 'Values that several parameters take.',
  subtypes: 'Ways to name a user, which several parameters take.',
  parameters: 'Parameters that several modules have.',
}

export function writeSetPage(set: SharedSet, catalogue: Catalogue): Page {
  const { name, kind, links } = set
  return {
    title: `${name} · Query modules`,
    description: `${setKinds[kind]} What is in ${name}, and who uses it.`,
    json: links.self ?? '',
    main: html`
      <nav class="trail" aria-label="Where this is"><a href="${indexPage}">Query modules</a> › <a href="${indexPage}#shared-sets">Shared sets</a></nav>
      <h1>${name}</h1>
      <p>${setKinds[kind]}</p>
      ${set.default === undefined ? null : html`<p>Default: <code>${set.default}</code>.</p>`}
      <h2 id="in-the-set">In the set</h2>
      ${writeContent(set)}
      <h2 id="used-by">Used by</h2>
      ${writeUses(set, catalogue)}`,
  }
}

function writeContent({ parameters, values = [], deprecated_values = [] }: SharedSet): Markup {
  if (parameters) return writeParameters(parameters, null)
  return html`<ul class="values">${values.map(value => html`<li id="${value}">${writeValue(value, deprecated_values)}</li>`)}</ul>`
}

const writeUses = ({ used_by }: SharedSet, { modules }: Catalogue): Markup => html`<ul>
    ${used_by.flatMap(use => {
      const module = modules.find(({ name }) => name === use.module)
      return module ? writeUse(module, use.parameters) : []
    })}
    </ul>`

function writeUse({ name, path, prefix }: Module, parameters: readonly string[]): Markup {
  const page = modulePage(path)
  const links = parameters.map(name => html`<a href="${page}${fragment(name)}"><code>${prefix}${name}</code></a>`)
  return html`<li><a href="${page}">${name}</a>: ${join(links, ', ')}</li>`
}
