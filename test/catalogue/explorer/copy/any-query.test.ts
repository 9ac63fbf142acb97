import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forms } from '../../../../catalogue/explorer/client/copy/forms.ts'
import { readRequest } from '../../../../catalogue/explorer/client/copy/request.ts'
import { readPython, readUrl, runInShell, runPython, runScript } from '../../../support/catalogue/read-forms.ts'
import { seed } from '../../../support/property.ts'
import { implied, written } from './sent-by.ts'

describe('any query', () => {
  const odd = fc.constantFrom(
    ...'\'"`$()%\n!\\\u001f\r\t\0<>/&=#?+|*@-[]{};~^ \u2028\u202e\u009b',
    '👩‍💻',
    '</script>',
    '$(id)',
    "'\\''",
    '\ud83d\ude00',
    'ä',
  )
  const word = fc
    .array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 8 })
    .map(parts => parts.join(''))
  const pairs = fc
    .uniqueArray(fc.tuple(word, word), { selector: ([name]) => name, maxLength: 6 })
    .filter(all => all.every(([name, value]) => !/token|^action$|^format$/i.test(name) && (name + value).length > 0))
  const address = fc.constantFrom('', '?', 'https://wiki.example/w/api.php?', "https://wiki.example/'$(id)'/[a]?")
  const queries = fc.tuple(address, pairs).map(([before, due]) => ({
    due: [...implied, ...due],
    request: readRequest(before + written(due)),
  }))
  const sample = fc.sample(queries, { seed, numRuns: 300 })

  test('goes through the URL, the script and the program as it is', async () => {
    await fc.assert(
      fc.asyncProperty(queries, async ({ due, request }) => {
        const { endpoint } = request
        const sent = { method: 'GET', endpoint, pairs: due }
        expect(request.parameters).toEqual(due)
        expect(readUrl(forms.url(request))).toEqual(sent)
        expect(await runScript(forms.fetch(request))).toEqual(sent)
        expect(readPython(forms.python(request))).toEqual(sent)
      }),
      { seed, numRuns: 300 },
    )
  })

  test('is read back from every form that it is copied in', () => {
    for (const { due, request } of sample) {
      for (const [form, write] of Object.entries(forms)) {
        const { endpoint, parameters } = readRequest(write(request))
        const origin = form === 'fetch' && !due.some(([name]) => name === 'origin') ? [['origin', '*']] : []
        expect([form, endpoint, parameters]).toEqual([form, request.endpoint, [...due, ...origin]])
      }
    }
  })

  test('goes through a shell as it is', () => {
    const sent = runInShell(sample.map(({ request }) => forms.curl(request)))
    expect(sent).toEqual(sample.map(({ due, request: { endpoint } }) => ({ method: 'GET', endpoint, pairs: due })))
  })

  const fromPython = runPython(sample.map(({ request }) => forms.python(request)))
  test.skipIf(fromPython === null)('goes through Python as it is, where there is one', () => {
    expect(fromPython).toEqual(
      sample.map(({ due, request: { endpoint } }) => ({ method: 'GET', endpoint, pairs: due })),
    )
  })

  test('has nothing unseen in any form, but its own line breaks', () => {
    for (const { request } of sample) {
      for (const write of Object.values(forms)) {
        expect(write(request).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
      }
      expect(forms.curl(request).split(' \\\n  ').join('')).not.toContain('\n')
    }
  })
})
