/**
 * A table in Markdown. In a cell, `|` ends it, so it is escaped.
 *
 * @param numbers how many columns at the end are numbers
 * @throws {Error} without rows: what it is made of was not found
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[], numbers = 0): string {
  if (rows.length === 0) throw new Error(`the table of ${head.join(', ')} has no rows`)
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const rule = head.map((_, i) => (i < head.length - numbers ? '---' : '--:'))
  return [line(head), `|${rule.join('|')}|`, ...rows.map(line)].join('\n')
}

export const code = (text: string): string => `\`${text}\``

/** A text between markers in a document, which `npm run docs` writes. */
const block = /^(<!-- npm run docs writes this: ([\w-]+) -->\n)(.*?)(<!-- end of \2 -->)$/gms

/**
 * Puts each text between its markers.
 *
 * @param written collects the names of the blocks that the document has
 * @throws {Error} when a marker has no text or no partner
 */
export function fill(document: string, texts: Readonly<Record<string, string>>, written = new Set<string>()): string {
  const filled = document.replaceAll(block, (_, begin: string, name: string, _text, end: string) => {
    const text = texts[name]
    if (text === undefined) throw new Error(`docs/write/tables.ts writes no ${name}`)
    written.add(name)
    return `${begin}\n${text}\n\n${end}`
  })
  const left = filled.replaceAll(block, '').match(/^<!-- (?:npm run docs writes this:|end of) ([\w-]+) -->$/m)
  if (left) throw new Error(`the marker of ${left[1]} has no partner`)
  return filled
}
