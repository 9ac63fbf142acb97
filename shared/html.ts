const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as HTML has it, in an element or in a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? '')

/**
 * Fills a page's gaps: `{{name}}` becomes the value's text, and what stands between `<!-- if name -->` or
 * `<!-- unless name -->` and `<!-- end -->` stays or goes. Values are text to the page, whatever they hold.
 */
export const fillHtml = (html: string, values: Record<string, string | boolean | null>): string =>
  html
    .replace(/<!-- (if|unless) (\w+) -->(.*?)<!-- end -->/gs, (_, word: string, name: string, inner: string) =>
      Boolean(values[name]) === (word === 'if') ? inner : '',
    )
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(String(values[name] ?? '')))
