const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for use in an element or in a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? '')

/**
 * Fills the gaps of a page: `{{name}}` becomes the value, escaped. What is between `<!-- if name -->` or
 * `<!-- unless name -->` and `<!-- end -->` is kept or removed.
 */
export const fillHtml = (html: string, values: Record<string, string | boolean | null>): string =>
  html
    .replace(/<!-- (if|unless) (\w+) -->(.*?)<!-- end -->/gs, (_, word: string, name: string, inner: string) =>
      Boolean(values[name]) === (word === 'if') ? inner : '',
    )
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(String(values[name] ?? '')))
