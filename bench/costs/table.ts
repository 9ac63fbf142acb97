/** A table in Markdown. @param numbers how many columns at the end are numbers */
export function table(head: readonly string[], numbers: number, lines: readonly (readonly string[])[]): string {
  const rule = head.map((_, i) => (i < head.length - numbers ? '---' : '--:'))
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${rule.join('|')}|`, ...lines.map(line)].join('\n')
}

export const dollars = (amount: number): string => amount.toFixed(2)
