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

/** Characters of a line, where words allow it. */
const width = 140

/** Where a word begins a list, a heading or a quotation if it begins a line. */
const isMark = (word: string): boolean => /^(?:[-+*>|]|#+|\d+[.)])$/.test(word)

/**
 * A paragraph, or the lines of one, in lines of the usual width. In a block of code, words have one space between them.
 *
 * @param begin what stands before the first line; the others are indented by as much
 */
export function wrap(begin: string, text: string | readonly string[]): string {
  const indent = ' '.repeat(begin.length)
  const lines = [text].flat().flatMap(line => {
    const hanging = line.startsWith('- ') ? `${indent}  ` : indent
    const [first = '', ...words] = line.split(' ')
    const wrapped = [`${indent}${first}`]
    for (const word of words) {
      const longer = `${wrapped.at(-1)} ${word}`
      if (longer.length > width && !isMark(word)) wrapped.push(`${hanging}${word}`)
      else wrapped.splice(-1, 1, longer)
    }
    return wrapped
  })
  return `${begin}${lines
    .map(line => line.trimEnd())
    .join('\n')
    .slice(indent.length)}`
}

/** A text between markers, which `npm run docs` writes: comments of Markdown, or of a Dockerfile. */
const block = /^((?:<!--|#) npm run docs writes this: ([\w-]+)(?: -->)?\n)(.*?)((?:<!--|#) end of \2(?: -->)?)$/gms

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
  const left = filled
    .replaceAll(block, '')
    .match(/^(?:<!--|#) (?:npm run docs writes this:|end of) ([\w-]+)(?: -->)?$/m)
  if (left) throw new Error(`the marker of ${left[1]} has no partner`)
  return filled
}
