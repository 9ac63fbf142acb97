import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readListFile } from '../../../infra/settings/files.ts'
import { holds } from '../../support/property.ts'
import { applications, everything, providerList } from '../../support/stack/settings.ts'
import { synthesize } from '../../support/stack/template.ts'

const folder = mkdtempSync(join(tmpdir(), 'files-'))
const place = { folder, prefix: '', isClosed: false }

/** What is wrong with a file of these contents; null if nothing is. */
function wrong(contents: string | Buffer): string | null {
  writeFileSync(join(folder, 'a.json'), contents)
  const read = readListFile('a.json', place)
  return 'wrong' in read ? read.wrong : null
}

describe('a mistake of JSON', () => {
  test.each([
    ['', 1, 1, 'Unexpected end of file in JSON'],
    ['[\n  {"id": "a",}\n]', 2, 13, 'JSON does not support trailing commas'],
    ['[\n  // one\n]', 2, 3, 'JSON does not support comments'],
    ['[\r\n  {"ü😀": "a" "b": 1}\r\n]', 2, 15, 'Expected "," in JSON'],
    ["['a']", 1, 2, 'JSON strings must use double quotes'],
    ['[{id: 1}]', 1, 3, 'Expected string in JSON'],
    ['["a\nb"]', 1, 4, 'Unterminated string literal'],
    ['[]\n[]', 2, 1, 'Expected end of file in JSON'],
    ['[\n"\u00a0",\u00a01]', 2, 5, 'JSON has no such space'],
    ['[undefined]', 1, 2, 'it is not JSON'],
  ])('%j is in line %i, column %i: %s', (text, line, column, what) => {
    expect(wrong(text)).toBe(`a.json, line ${line}, column ${column}: ${what}`)
  })

  test('has a place, whatever it is, and is quoted nowhere', async () => {
    const text = JSON.stringify(JSON.parse(applications), null, 1)
    const mistake = fc.record({
      at: fc.nat(text.length),
      cut: fc.nat(3),
      put: fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 3 }),
        fc.constantFrom('"secret"', '\t', '\v', '\\x', ',', '0', '-'),
      ),
    })
    await holds(mistake, async ({ at, cut, put }) => {
      const changed = text.slice(0, at) + put + text.slice(at + cut)
      let isJson = true
      try {
        JSON.parse(changed)
      } catch {
        isJson = false
      }
      const said = wrong(changed)
      const found = /^a\.json, line (\d+), column (\d+): ([ -~]+)$/.exec(said ?? '')
      expect([said === null, found !== null]).toEqual([isJson, !isJson])
      const lines = changed.split('\n')
      if (found) expect(lines[Number(found[1]) - 1]?.length).toBeGreaterThanOrEqual(Number(found[2]) - 1)
      expect(found?.[3] ?? '').not.toMatch(/secret|example\.com/)
    })
  })
})

test('a list of 256 KiB in UTF-8 is read, and no other', () => {
  const long = `["${'x'.repeat(256 * 1024 - 4)}"]`
  expect(wrong(long)).toBeNull()
  expect(wrong(`${long} `)).toBe('a.json: has more than 256 KiB')
  expect(wrong(Buffer.from('["\xfc"]', 'latin1'))).toBe('a.json: is not UTF-8')
  expect(readListFile('/dev/zero', place)).toMatchObject({ wrong: '/dev/zero: is not a file' })
})

test('the template is to the byte that of the lists on one line', () => {
  for (const [name, list] of Object.entries({ apps: applications, providers: providerList })) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(JSON.parse(list), null, 2))
  }
  const inFiles = { ...everything, OIDC_CLIENTS: '@apps.json', SIGN_IN_PROVIDERS: '@providers.json' }
  const texts = [synthesize(everything), synthesize(inFiles, { ...place, isClosed: true })].map(({ template }) =>
    JSON.stringify(template),
  )
  expect(texts[1]).toBe(texts[0])
})
