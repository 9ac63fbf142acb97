import { iconOf } from '../../../shared/base/html.ts'
import { frameDocument, html, type Markup } from '../../../shared/prebuilt/markup.ts'
import { indexPage } from '../../addresses.ts'

/** The files that the first script loads on demand. */
export const lazyFiles = ['search', 'sentences', 'late', 'rare', 'builder', 'builder-style'] as const

/** The files of every page. */
export type Assets = Record<'script' | 'style' | (typeof lazyFiles)[number], string>

export type Page = {
  title: string
  /** One sentence, for search engines. */
  description: string
  /** The same facts as JSON. */
  json: string
  main: Markup
}

const icon = iconOf('Query modules')

/** @param assets their paths */
export const writePage = (page: Page, assets: Assets): string =>
  frameDocument({
    ...page,
    icon,
    assets: html`<link rel="stylesheet" href="${assets.style}">
      <meta property="og:type" content="website">
      <meta property="og:title" content="${page.title}">
      <meta property="og:description" content="${page.description}">
      <script type="module" ${lazyFiles.map(name => html`data-${name}="${assets[name]}" `)}src="${assets.script}"></script>`,
    part: indexPage,
    account: html`<a href="/account">Account</a>`,
    brand: html`<a class="brand" href="${indexPage}">Query modules</a>
      <nav class="site-parts" aria-label="Parts"><a href="${indexPage}#check">Check</a> <a href="${indexPage}#build">Build</a> <a href="${indexPage}#modules">Modules</a></nav>`,
    footer: html`<p>The same as <a href="${page.json}">JSON</a>. The whole catalogue:
      <a href="/catalogue/export/catalogue.json">JSON</a>,
      <a href="/catalogue/export/query-modules.schema.json">JSON Schema</a>,
      <a href="/catalogue/export/query-modules.d.ts">TypeScript</a>.</p>`,
  })
