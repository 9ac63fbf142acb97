import { describe, expect, test } from 'vitest'
import { forms } from '../../../../catalogue/explorer/client/copy/forms.ts'
import { readRequest } from '../../../../catalogue/explorer/client/copy/request.ts'
import { implied, sentBy, written } from './sent-by.ts'

describe('a copied query', () => {
  test('is written as somebody would write it', () => {
    const request = readRequest("list=search&srsearch=it's+<b>100%</b>&srlimit=5")
    expect(
      Object.values(forms)
        .map(write => `${write(request)}\n`)
        .join('\n'),
    ).toMatchInlineSnapshot(`
      "https://en.wikipedia.org/w/api.php?action=query&format=json&list=search&srsearch=it%27s%20%3Cb%3E100%25%3C%2Fb%3E&srlimit=5

      curl --get 'https://en.wikipedia.org/w/api.php' \\
        --user-agent 'MyApp/1.0 (https://example.org/my-app; me@example.org)' \\
        --data-urlencode 'action=query' \\
        --data-urlencode 'format=json' \\
        --data-urlencode 'list=search' \\
        --data-urlencode 'srsearch=it'\\''s <b>100%</b>' \\
        --data-urlencode 'srlimit=5'

      const query = new URLSearchParams([
        ['action', 'query'],
        ['format', 'json'],
        ['list', 'search'],
        ['srsearch', 'it\\'s <b>100%</b>'],
        ['srlimit', '5'],
        ['origin', '*'],
      ]);
      const response = await fetch('https://en.wikipedia.org/w/api.php?' + query);
      const data = await response.json();

      import requests

      response = requests.get(
          'https://en.wikipedia.org/w/api.php',
          params={
              'action': 'query',
              'format': 'json',
              'list': 'search',
              'srsearch': 'it\\'s <b>100%</b>',
              'srlimit': '5',
          },
          headers={'User-Agent': 'MyApp/1.0 (https://example.org/my-app; me@example.org)'},
      )
      data = response.json()
      "
    `)
  })

  test.each(['', '@x', '-x', '__proto__', 'a[]'])('has the name %j in every language', async name => {
    const sent = await sentBy(written([[name, '@x']]))
    for (const form of ['url', 'curl', 'fetch', 'python'])
      expect([form, sent[form]?.pairs]).toEqual([form, [...implied, [name, '@x']]])
  })

  test('keeps its numbers of names in order, which an object of JavaScript would not', async () => {
    const sent = await sentBy('b=1&2=x&1=y')
    expect(sent.fetch?.pairs).toEqual([...implied, ['b', '1'], ['2', 'x'], ['1', 'y']])
  })

  test('has the last of a name that stands twice, as the API has', () => {
    expect(readRequest('srlimit=1&list=search&srlimit=2').parameters).toEqual([
      ...implied,
      ['list', 'search'],
      ['srlimit', '2'],
    ])
  })

  test.each([
    ['', 'action=query&format=json'],
    ['format=xml', 'action=query&format=xml'],
    ['list=a&action=query', 'format=json&list=a&action=query'],
    ['action=&format=', 'action=&format='],
  ])('of %j has action and format, first where they were absent', (text, whole) => {
    expect(written(readRequest(text).parameters)).toBe(whole)
  })

  test('is read as text where it is not JSON', () => {
    const request = readRequest('format=xml')
    expect(forms.fetch(request)).toContain('await response.text()')
    expect(forms.python(request)).toContain('data = response.text')
  })

  test('too long for an address goes into a body, from the first character on', async () => {
    const text = (length: number) => `titles=${'x'.repeat(length)}`
    const room = 8000 - forms.url(readRequest('titles=')).length
    expect(readRequest(text(room)).method).toBe('GET')
    const sent = await sentBy(text(room + 1))
    for (const form of ['curl', 'fetch', 'python']) expect([form, sent[form]?.method]).toEqual([form, 'POST'])
  })

  test.each([
    ['as long as an address may be', 7_000],
    ['as long as a body may be', 50_000],
  ])('%s is read back from every form', (_, length) => {
    const titles = Array.from({ length: length / 20 }, (_, n) => `It's_${n}`.padEnd(17, 'x')).join('|')
    const request = readRequest(
      written([
        ['prop', 'info'],
        ['titles', titles],
      ]),
    )
    for (const [form, write] of Object.entries(forms)) {
      const code = write(request)
      const read = readRequest(code).parameters.filter(([name]) => name !== 'origin')
      expect([form, code.length < 64 * 1024, read]).toEqual([form, true, request.parameters])
    }
  })
})
