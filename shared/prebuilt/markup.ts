import { escapeHtml } from '../base/html.ts'

/** Text that is HTML already. */
export type Markup = { readonly markup: string }

type Value = string | number | null | Markup | readonly Markup[]

/** HTML in which every value is text, unless it is markup. `null` is empty. */
export const html = ({ raw }: TemplateStringsArray, ...values: Value[]): Markup => ({
  markup: raw.map((part, index) => part + write(values[index] ?? null)).join(''),
})

function write(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map(write).join('')
}

export const join = (parts: readonly Markup[], between: string): Markup => ({
  markup: parts.map(write).join(escapeHtml(between)),
})

/** The differences between documents of the explorer and of the reference. */
interface Framed {
  title: string
  /** One sentence, for search engines. */
  description: string
  /** The address of the same facts as JSON. */
  json: string
  icon: string
  /** The elements of its style and of its script. */
  assets: Markup
  /** The part of the service that it is of. */
  part: '/reference' | '/catalogue/explore'
  /** The link at the top to the account page, which may be off. */
  account: Markup
  /** The link beside the search. */
  brand: Markup
  /** Beside the content. */
  aside?: Markup
  main: Markup
  footer: Markup
}

/** A document for people: the ways to the other parts, a header with a search, the content, and a footer. */
export function frameDocument(framed: Framed): string {
  const { title, description, json, icon, assets, part, account, brand, aside, main, footer } = framed
  const linkTo = (path: Framed['part'], name: string) =>
    html`<a href="${path}"${path === part ? html` aria-current="true"` : null}>${name}</a>`
  return asDocument(html`<!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <meta name="description" content="${description}">
    <link rel="alternate" type="application/json" href="${json}">
    <link rel="icon" href="${icon}">
    ${assets}
    </head>
    <body>
    <a class="skip" href="#main-content">Skip to the content</a>
    <nav class="parts" aria-label="Pages">
    <a href="/">Home</a>
    ${linkTo('/reference', 'Reference')}
    ${linkTo('/catalogue/explore', 'Query modules')}
    ${account}
    </nav>
    <header class="site">
    ${brand}
    <div class="site-search" role="search"></div>
    </header>
    ${aside ? html`<div class="columns">${aside}` : null}
    <main id="main-content" tabindex="-1">
    ${main}
    </main>
    ${aside ? html`</div>` : null}
    <footer class="site">
    ${footer}
    </footer>
    </body>
    </html>`)
}

/** A document for a pack: ASCII, on lines without indentation. */
export function asDocument({ markup }: Markup): string {
  return asAscii(markup.replaceAll(/\n\s*/g, '\n').trim())
}

/** HTML with references for non-ASCII characters. Scripts and styles do not decode them. */
export function asAscii(html: string): string {
  return html.replaceAll(/[^\n\x20-\x7e]/gu, character => `&#${character.codePointAt(0)};`)
}
