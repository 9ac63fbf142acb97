import { html, type Markup } from '../../../shared/prebuilt/markup.ts'
import { modulePage, setPage } from '../../addresses.ts'
import type { Catalogue, Group, Module } from '../../model.ts'
import { moduleSentence } from '../words.ts'
import type { Page } from './frame.ts'
import { termLink, writeGlossary, writeQueryNames } from './glossary.ts'
import { setKinds } from './set-page.ts'

export function writeIndexPage(catalogue: Catalogue): Page {
  const { groups, modules, sets, counts, not_described } = catalogue
  return {
    title: 'Query modules: look up, check and build queries',
    description: `${counts.modules} query modules of MediaWiki's API with their ${counts.parameters} parameters: look them up, check a query, build one.`,
    json: '/catalogue',
    main: html`
      <h1>Check, build and look up queries</h1>
      <p class="lead">MediaWiki, the software of Wikipedia, answers queries at an address such as
      <code>https://en.wikipedia.org/w/api.php</code>. This page knows the ${counts.modules} modules that a query
      can ask, and their ${counts.parameters} parameters.</p>
      <div class="workbench" id="check"></div>
      <noscript><p class="card" id="build">Checking and building queries needs JavaScript. Without it, send a query to
      <code>/catalogue/validate?query=…</code>, percent-encoded. Everything else on these pages works.</p></noscript>
      <h2 id="modules">Modules</h2>
      <p class="lead">A query says <code>list=</code>, <code>prop=</code> or <code>meta=</code> with the modules that it asks.
      The code beside a module is its ${termLink('prefix', 'prefix')}: the names of its parameters begin with it. A
      ${termLink('generator', 'generator')} is a module whose
      pages are handed on to those of <code>prop=</code>; then its parameters begin with <code>g</code> and its prefix.</p>
      ${groups.map(group => writeGroup(group, modules))}
      ${writeGlossary()}
      ${writeQueryNames()}
      <section class="sets" aria-labelledby="shared-sets">
      <h2 id="shared-sets">Shared sets</h2>
      <p>What several modules have in common.</p>
      <ul class="modules">
      ${sets.map(({ name, kind }) => html`<li><a href="${setPage(name)}">${name}</a> <span class="note">${setKinds[kind]}</span></li>`)}
      </ul>
      </section>
      <details id="not-described">
      <summary>What the catalogue does not describe</summary>
      <ul>${not_described.map(text => html`<li>${text}</li>`)}</ul>
      </details>`,
  }
}

function writeGroup({ name, meaning, modules: names, module_count }: Group, modules: readonly Module[]): Markup {
  const members = names.flatMap(name => modules.find(module => module.name === name) ?? [])
  return html`<section aria-labelledby="group-${name}">
    <h3 id="group-${name}"><code>${name}</code> <span class="note">${meaning}, ${module_count} modules</span></h3>
    <ul class="modules">
    ${members.map(writeModule)}
    </ul>
    </section>`
}

const writeModule = ({
  name,
  path,
  prefix,
  generator,
  deprecated,
}: Module): Markup => html`<li><a href="${modulePage(path)}">${name}</a>
    ${prefix ? html`<code class="prefix">${prefix}</code>` : null}
    ${generator ? html`<span class="note mark">generator</span>` : null}
    ${deprecated ? html`<span class="badge deprecated mark">deprecated</span>` : null}
    <span class="note says">${moduleSentence(name)}</span></li>`
