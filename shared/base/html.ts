const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for use in an element or in a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? '')

/** The value of a gap; a list is for `each`. */
type Gap = string | boolean | null | undefined | readonly Record<string, string>[]

/**
 * Fills the gaps of a page: `{{name}}` becomes the escaped value. Text between `<!-- if name -->` or `<!-- unless name
 * -->` and `<!-- end -->` is kept or removed; an empty list counts as absent. Text between `<!-- each name -->` and
 * `<!-- end -->` is repeated for each item, whose members fill its gaps.
 */
export const fillHtml = (html: string, values: Record<string, Gap>): string =>
  html.replace(
    /<!-- (if|unless|each) (\w+) -->(.*?)<!-- end -->|\{\{(\w+)\}\}/gs,
    (_, word: string | undefined, name: string, inner: string, gap: string) => {
      if (word === undefined) return escapeHtml(String(values[gap] ?? ''))
      const value = values[name]
      if (word === 'each') return Array.isArray(value) ? value.map(item => fillHtml(inner, item)).join('') : ''
      const isThere = Array.isArray(value) ? value.length > 0 : Boolean(value)
      return isThere === (word === 'if') ? fillHtml(inner, values) : ''
    },
  )

/**
 * The initial of a name on a tile, as a `data` URL. Without an icon, a browser requests `/favicon.ico`, and reports
 * that the page's policy forbids it.
 *
 * @param colour of the tile, as `#rrggbb`; null for the default
 */
export function iconOf(name: string, colour: string | null = null): string {
  const [initial = ''] = name.normalize('NFC').toUpperCase()
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" ' +
    `fill="${colour ?? '#1f5fbf'}"/>` +
    '<text x="16" y="23" fill="#fff" font-family="system-ui,sans-serif" font-size="20" font-weight="700" ' +
    `text-anchor="middle">${escapeHtml(initial)}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
