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
