import { iconOf } from '../../shared/base/html.ts'
import { indexPage } from '../../shared/catalogue/addresses.ts'
import { frameDocument, html, type Markup } from '../../shared/prebuilt/markup.ts'

/** The paths of the files that every page loads. */
type Assets = { script: string; style: string }

export type Page = {
  title: string
  /** One sentence, for search engines. */
  description: string
  /** The same facts as JSON. */
  json: string
  main: Markup
}

const icon = iconOf('Query modules')

export const writePage = (page: Page, { script, style }: Assets): string =>
  frameDocument({
    ...page,
    icon,
    assets: html`<link rel="stylesheet" href="${style}">
      <script type="module" src="${script}"></script>`,
    brand: html`<a class="brand" href="${indexPage}">Query modules</a>`,
    footer: html`<p>The same as <a href="${page.json}">JSON</a>. The whole catalogue:
      <a href="/catalogue/export/catalogue.json">JSON</a>,
      <a href="/catalogue/export/query-modules.schema.json">JSON Schema</a>,
      <a href="/catalogue/export/query-modules.d.ts">TypeScript</a>.</p>`,
  })
