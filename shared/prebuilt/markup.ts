import { escapeHtml } from '../base/html.ts'

/** Text that is HTML already. */
export type Markup = { readonly markup: string }

type Value = string | number | null | Markup | readonly Markup[]

/** HTML in which every value is text, unless it is markup. `null` is nothing. */
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

/** A document as a pack holds it: ASCII, on lines without indentation. */
export function asDocument({ markup }: Markup): string {
  return asAscii(markup.replaceAll(/\n\s*/g, '\n').trim())
}

/** HTML with references in place of what is not ASCII. Within a script or a style, they would stand for themselves. */
export function asAscii(html: string): string {
  return html.replaceAll(/[^\n\x20-\x7e]/gu, character => `&#${character.codePointAt(0)};`)
}
