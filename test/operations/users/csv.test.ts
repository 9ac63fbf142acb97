import { expect, test } from 'vitest'
import { csv } from '../../../operations/users/csv.ts'

/** The fields by line of a text that arrives in chunks of `size` characters. */
async function read(text: string, size = text.length): Promise<Record<number, string[]>> {
  const characters = [...text]
  async function* chunks() {
    for (let at = 0; at < characters.length; at += size) yield characters.slice(at, at + size).join('')
  }
  const records: Record<number, string[]> = {}
  for await (const { line, record } of csv(chunks())) records[line] = record
  return records
}

test.each<[string, string, Record<number, string[]>]>([
  ['fields and lines', 'a,b\nc,d\n', { 1: ['a', 'b'], 2: ['c', 'd'] }],
  ['a last line without a line break', 'a,b\nc', { 1: ['a', 'b'], 2: ['c'] }],
  ['CRLF', 'a,b\r\n"c","d"\r\n', { 1: ['a', 'b'], 2: ['c', 'd'] }],
  ['commas in quotes', '"a,b",c\n', { 1: ['a,b', 'c'] }],
  ['doubled quotes', '"a ""b"" c",""""\n', { 1: ['a "b" c', '"'] }],
  ['line breaks in quotes, which count as lines', 'x\n"a\r\nb\n",c\nd\n', { 1: ['x'], 2: ['a\r\nb\n', 'c'], 5: ['d'] }],
  ['empty fields', ',"",\n\n', { 1: ['', '', ''], 2: [''] }],
  ['nothing', '', {}],
  ['a quoted field at the very end', 'a,"b"', { 1: ['a', 'b'] }],
  ['characters beyond the first plane', '"🔑",é\n', { 1: ['🔑', 'é'] }],
])('CSV may have %s', async (_, text, records) => {
  expect(await read(text)).toEqual(records)
  expect(await read(text, 3)).toEqual(records)
})

test.each([
  ['a quote that is never closed', 'a\n"b,c\nd\n', 'line 2 opens a quote that is never closed'],
  ['a quote inside a field', 'a\nb"c,d\n', 'line 2 has a quote inside a field that is not quoted'],
  ['text after a closing quote', '"a"b\n', 'line 1 has text after a closing quote'],
  [
    'a record without end',
    `a\n"${'x'.repeat(100_000)}`,
    'line 2 has a record longer than 40000 bytes, or a quote that is never closed',
  ],
])('CSV with %s is read no further: the next record could begin anywhere', async (_, text, reason) => {
  await expect(read(text)).rejects.toThrow(reason)
})
