import { html, join, type Markup } from '../../../shared/prebuilt/markup.ts'
import { checkOf, indexPage, modulePage, modulePath } from '../../addresses.ts'
import type { Catalogue, Module } from '../../model.ts'
import { explainModule } from '../../notations/sentences.ts'
import examples from '../../words/module-examples.json' with { type: 'json' }
import relatedModules from '../../words/see-also.json' with { type: 'json' }
import { moduleSentence } from '../words.ts'
import type { Page } from './frame.ts'
import { linkTerms, termLink } from './glossary.ts'
import { linkNames, named, writeParameters } from './parameter.ts'

export function writeModulePage(module: Module, { groups, modules }: Catalogue): Page {
  const { path, name, group, prefix, generator, deprecated, parameters, links } = module
  const meaning = groups.find(({ name }) => name === group)?.meaning ?? ''
  const relations = explainModule(module, named)
  const query = `${group}=${name}`
  return {
    title: `${query} · Query modules`,
    description: `${moduleSentence(name)} The ${parameters.length} parameters of ${path}, their types, defaults and values.`,
    json: links.self ?? '',
    main: html`
      <div class="beside">
      <div>
      <nav class="trail" aria-label="Where this is"><a href="${indexPage}">Query modules</a> › <a href="${indexPage}#group-${group}">${group}</a></nav>
      <h1><code><span class="prefix">${group}=</span>${name}</code>
      ${deprecated ? html` <span class="badge deprecated">deprecated</span>` : null}</h1>
      <p class="lead">${linkTerms(moduleSentence(name))}</p>
      <dl class="summary">
      <div><dt>Group</dt><dd>${group}: ${meaning}</dd></div>
      <div><dt>${termLink('prefix', 'Prefix')}</dt><dd>${prefix ? html`<code>${prefix}</code>` : 'none'}</dd></div>
      <div><dt>${termLink('generator', 'As a generator')}</dt><dd>${generator ? writeGenerator(module) : 'no'}</dd></div>
      <div><dt>Parameters</dt><dd>${parameters.length}</dd></div>
      </dl>
      <p class="actions"><a class="button" href="${checkOf(query)}">Build a query with it</a>
      <a href="${links.schema ?? ''}">JSON Schema</a> <a href="${links.self ?? ''}">JSON</a></p>
      ${relations.length > 0 ? html`<ul class="relations">${relations.map(text => html`<li>${linkNames(text, prefix)}</li>`)}</ul>` : null}
      ${writeExample(module)}
      ${writeContents(module)}
      <h2 id="all-parameters">Parameters</h2>
      ${writeParameters(parameters, module)}
      ${writeNeighbours(module, modules)}
      </div>
      ${writeAll(module, groups)}
      </div>`,
  }
}

/** All modules, beside the text where the window has room. */
const writeAll = (
  { name: current }: Module,
  groups: Catalogue['groups'],
): Markup => html`<nav class="all" aria-label="All modules">
    ${groups.map(
      ({ name, modules }) => html`<p>${name}</p>
      <ul>${modules.map(
        name =>
          html`<li><a href="${modulePage(modulePath(name))}"${name === current ? html` aria-current="page"` : null}>${name}</a></li>`,
      )}</ul>`,
    )}
    </nav>`

/** Modules for the same words, then the previous and the next one. */
function writeNeighbours({ name }: Module, modules: readonly Module[]): Markup {
  const related = new Set(relatedModules.filter(group => group.includes(name)).flat())
  const others = modules.filter(other => other.name !== name && related.has(other.name))
  const at = modules.findIndex(other => other.name === name)
  const link = (module: Module | undefined, rel: string, sign: string) =>
    module ? html`<a rel="${rel}" href="${modulePage(module.path)}">${sign}: ${module.name}</a>` : null
  return html`<section aria-labelledby="see-also">
    <h2 id="see-also">See also</h2>
    <ul class="modules">${others.map(
      other =>
        html`<li><a href="${modulePage(other.path)}">${other.name}</a> <span class="note says">${moduleSentence(other.name)}</span></li>`,
    )}</ul>
    <p class="actions">${link(modules[at - 1], 'prev', 'Previous')} ${link(modules[at + 1], 'next', 'Next')}</p>
    </section>`
}

/** A useful query of the module. */
function writeExample({ name }: Module): Markup {
  const [says = '', query = ''] = (examples as Record<string, string[]>)[name] ?? []
  return html`<section class="example" aria-labelledby="example">
    <h2 id="example">Example</h2>
    <p>${says}:</p>
    <p><a href="${checkOf(query)}"><code>${query}</code></a></p>
    </section>`
}

const writeGenerator = ({ name, prefix }: Module): Markup =>
  html`<code>generator=${name}</code>; its parameters begin with <code>g${prefix}</code>`

/** A list of links is worth its room from this number of parameters on, which no longer fit on one screen. */
const listedFrom = 6

function writeContents({ parameters, prefix }: Module): Markup | null {
  if (parameters.length < listedFrom) return null
  const links = parameters.map(({ name }) => html`<a href="#${name}"><code>${prefix}${name}</code></a>`)
  return html`<nav class="contents" aria-label="Parameters">${join(links, ' ')}</nav>`
}
