import { expect, test } from 'vitest'
import { lines } from '../../../operations/users/lines.ts'

/** Reads a text that arrives in chunks of `size` characters. */
async function read(text: string, size: number) {
  async function* chunks() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
  }
  const all = []
  for await (const line of lines(chunks())) all.push(line)
  return all
}

const problem = 'is longer than 40000 characters'

test.each([
  ['end in LF or CRLF', 'a\nb\r\n', [{ record: 'a' }, { record: 'b' }]],
  ['may lack the end of the last one', 'a\n\nb', [{ record: 'a' }, { record: '' }, { record: 'b' }]],
  ['end at no other line separator', 'a\rb\u2028c\u2029d\u0085e\n', [{ record: 'a\rb\u2028c\u2029d\u0085e' }]],
  ['may have 40,000 characters', `${'x'.repeat(40_000)}\r\n`, [{ record: 'x'.repeat(40_000) }]],
  ['may not have more', `${'x'.repeat(40_001)}\na\n`, [{ problem }, { record: 'a' }]],
  ['may not have more, not even the last one', `a\n${'x'.repeat(100_000)}`, [{ record: 'a' }, { problem }]],
])('lines %s', async (_, text, expected) => {
  const numbered = expected.map((line, i) => ({ line: i + 1, ...line }))
  for (const size of [1, 3, 9_999, text.length]) expect(await read(text, size)).toEqual(numbered)
})
