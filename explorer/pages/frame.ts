import { iconOf } from '../../shared/base/html.ts'
import { indexPage } from '../../shared/catalogue/addresses.ts'
import { asDocument, html, type Markup } from '../../shared/prebuilt/markup.ts'

/** The paths of the files that every page loads, and of the one that its search does. */
type Assets = { script: string; style: string; search: string }

export type Page = {
  title: string
  /** One sentence, for search engines. */
  description: string
  /** The same facts as JSON. */
  json: string
  main: Markup
}

const icon = iconOf('Query modules')

export function writePage({ title, description, json, main }: Page, { script, style, search }: Assets): string {
  return asDocument(html`<!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <meta name="description" content="${description}">
    <meta property="og:type" content="website">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${description}">
    <link rel="alternate" type="application/json" href="${json}">
    <link rel="icon" href="${icon}">
    <link rel="stylesheet" href="${style}">
    <script type="module" src="${script}"></script>
    </head>
    <body>
    <a class="skip" href="#main-content">Skip to the content</a>
    <header class="site">
    <a class="brand" href="${indexPage}">Query modules</a>
    <nav class="site-parts" aria-label="Parts"><a href="${indexPage}#check">Check</a> <a href="${indexPage}#build">Build</a> <a href="${indexPage}#modules">Modules</a></nav>
    <div class="site-search" role="search" data-file="${search}"></div>
    </header>
    <main id="main-content" tabindex="-1">
    ${main}
    </main>
    <footer class="site">
    <p>The same as <a href="${json}">JSON</a>. The whole catalogue:
    <a href="/catalogue/export/catalogue.json">JSON</a>,
    <a href="/catalogue/export/query-modules.schema.json">JSON Schema</a>,
    <a href="/catalogue/export/query-modules.d.ts">TypeScript</a>.</p>
    </footer>
    </body>
    </html>`)
}
