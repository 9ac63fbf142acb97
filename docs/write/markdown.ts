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

/** A text between markers in a document, which a command writes. */
const block = /^(<!-- npm run (docs|bench) writes this: ([\w-]+) -->\n)(.*?)(<!-- end of \3 -->)$/gms

/**
 * Puts each text between its markers.
 *
 * @param command that writes: what the other one writes stays as it is, and so does what a run of the bench has left out
 * @param written collects the names of the blocks that the document has
 * @throws {Error} when a marker has no text or no partner
 */
export function fill(
  document: string,
  texts: Readonly<Record<string, string>>,
  command: 'docs' | 'bench',
  written = new Set<string>(),
): string {
  const filled = document.replaceAll(block, (whole, begin: string, by: string, name: string, _, end: string) => {
    const text = texts[name]
    if (by !== command || (text === undefined && by === 'bench')) return whole
    if (text === undefined) throw new Error(`docs/write/tables.ts writes no ${name}`)
    written.add(name)
    return `${begin}\n${text}\n\n${end}`
  })
  const left = filled.replaceAll(block, '').match(/^<!-- (?:npm run \w+ writes this:|end of) ([\w-]+) -->$/m)
  if (left) throw new Error(`the marker of ${left[1]} has no partner`)
  return filled
}
