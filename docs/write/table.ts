/** A table in Markdown. In a cell, `|` ends it, so it is escaped. @throws {Error} without rows: what it is made of was not found */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) throw new Error(`the table of ${head.join(', ')} has no rows`)
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

export const code = (text: string): string => `\`${text}\``
