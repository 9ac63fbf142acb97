import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forms } from '../../../../shared/catalogue/explorer/client/copy/forms.ts'
import { readRequest } from '../../../../shared/catalogue/explorer/client/copy/request.ts'
import {
  readPython,
  readUrl,
  runInShell,
  runPython,
  runScript,
  type Sent,
} from '../../../support/catalogue/read-forms.ts'
import { seed } from '../../../support/property.ts'

const usual = 'https://en.wikipedia.org/w/api.php'
const implied = [
  ['action', 'query'],
  ['format', 'json'],
]

/** What each form of a text sends, where it is run. */
async function sentBy(text: string, options?: { withSecrets: boolean }): Promise<Record<string, Sent>> {
  const request = readRequest(text, options)
  const [curl] = runInShell([forms.curl(request)])
  if (!curl) throw new Error('curl was not called')
  return {
    url: readUrl(forms.url(request)),
    curl,
    fetch: await runScript(forms.fetch(request)),
    python: readPython(forms.python(request)),
  }
}

const written = (pairs: readonly (readonly string[])[]): string =>
  pairs.map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')

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
      )
      data = response.json()
      "
    `)
  })

  const names = ['url', 'curl', 'fetch', 'python']
  test.each([
    ['a single quote', "it's '' '\\''"],
    ['a double quote', 'say "x"'],
    ['a backtick', '`id`'],
    ['a substitution', '$(id) $HOME $' + '{HOME}'],
    ['a percent sign', '100% %41 %s'],
    ['a line break', 'a\nb\r\nid\n'],
    ['an exclamation mark', '!! !id'],
    ['a backslash', '\\ \\n \\\\ \\x41 \\u0041 \\N{BULLET} ends in \\'],
    ['the separator of values', '\u001fa|b\u001fc'],
    ['an emoji', '👩‍💻 🏳️‍🌈'],
    ['a pattern of curl', '[1-9] {a,b}'],
    ['a file name of curl', '@/etc/passwd'],
    ['an option', '--output x'],
    ['separators of lines', 'a\u2028b\u2029c'],
    ['the end of a script', '</script><!-- <SCRIPT>'],
    ['NUL', 'a\0b'],
    ['half a character', 'a\ud800b'],
    ['what acts upon a terminal', 'a\u001b[201~\u0003\u0015\u007f\u009b2J\tb'],
    ['what turns the direction', '\u202eabc\u2066'],
    ['a template of Python', '{x} %(x)s {{'],
    ['nothing', ''],
    ['spaces', '  a  b+c '],
    ['signs of a query', 'a&b=c#d?e;f'],
  ])('says %s in every language', async (_, value) => {
    const pairs = [
      ['list', 'search'],
      ['srsearch', value.toWellFormed()],
    ]
    const sent = await sentBy(written(pairs))
    for (const form of names)
      expect([form, sent[form]]).toEqual([form, { method: 'GET', endpoint: usual, pairs: [...implied, ...pairs] }])
  })

  test.each(["it's", '@x', '-x', 'a=b', '$(id)', '__proto__', '0', 'a b', 'a[]', 'ä\n', '\0'])(
    'has the name %j in every language',
    async name => {
      const sent = await sentBy(written([[name, 'x']]))
      for (const form of names) expect([form, sent[form]?.pairs]).toEqual([form, [...implied, [name, 'x']]])
    },
  )

  test('has a pair without a name in every language', async () => {
    const sent = await sentBy('=@x&a=b')
    for (const form of names) expect([form, sent[form]?.pairs]).toEqual([form, [...implied, ['', '@x'], ['a', 'b']]])
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
    ['', implied],
    [
      'format=xml',
      [
        ['action', 'query'],
        ['format', 'xml'],
      ],
    ],
    [
      'list=a&action=query',
      [
        ['format', 'json'],
        ['list', 'a'],
        ['action', 'query'],
      ],
    ],
    [
      'action=&format=',
      [
        ['action', ''],
        ['format', ''],
      ],
    ],
  ])('of %j has action and format, first where they were absent', (text, parameters) => {
    expect(readRequest(text).parameters).toEqual(parameters)
  })

  test('is read as text where it is not JSON', () => {
    const request = readRequest('format=xml')
    expect(forms.fetch(request)).toContain('await response.text()')
    expect(forms.python(request)).toContain('data = response.text')
  })

  test('that is too long for an address goes into a body, from the first character on', async () => {
    const text = (length: number) => `titles=${'x'.repeat(length)}`
    const room = 8000 - forms.url(readRequest('titles=')).length
    expect(readRequest(text(room)).method).toBe('GET')
    const sent = await sentBy(text(room + 1))
    for (const form of ['curl', 'fetch', 'python']) expect([form, sent[form]?.method]).toEqual([form, 'POST'])
  })
})

describe('where a copied query goes', () => {
  const addressed = [
    ['https://de.wikipedia.org/w/api.php?list=search', 'https://de.wikipedia.org/w/api.php'],
    [' HTTP://localhost:8080/api.php?a=b#x ', 'http://localhost:8080/api.php'],
    ['//wiki.example/w/api.php?a=b', 'https://wiki.example/w/api.php'],
    ['https://wiki.example?a=b', 'https://wiki.example/'],
    ['https://ada:SECRET@wiki.example/w/api.php?a=b', 'https://wiki.example/w/api.php'],
    ['https://en.wikipedia.org@evil.example/w/api.php?a=b', 'https://evil.example/w/api.php'],
    ['https://wіkipedia.org/w/api.php?a=b', 'https://xn--wkipedia-thh.org/w/api.php'],
    ['https://wiki.example/`id`/$(id)/%27?a=b', 'https://wiki.example/%60id%60/$(id)/%27'],
    ["https://wiki.example/it's/[a]?a=b", "https://wiki.example/it's/[a]"],
    ['de.wikipedia.org/w/api.php?list=tags', 'https://de.wikipedia.org/w/api.php'],
    [' wiki.example:8080/?a=b', 'https://wiki.example:8080/'],
    ['bücher.example/w/api.php?a=b', 'https://xn--bcher-kva.example/w/api.php'],
    ['https://[::1]:3000/a?a=b', 'https://[::1]:3000/a'],
  ] as const

  test.each(addressed.map(([text, endpoint]) => [text, endpoint, new URL(endpoint).host]))(
    'is %j to %j, at %s',
    async (text, endpoint, host) => {
      expect(readRequest(text)).toMatchObject({ endpoint, host, address: 'read' })
      const sent = await sentBy(text)
      for (const form of ['url', 'curl', 'fetch', 'python'])
        expect([form, sent[form]?.endpoint]).toEqual([form, endpoint])
    },
  )

  test.each(['', 'list=search', '?list=search', ' ?list=search', 'list=search&srsearch=why?'])(
    'is Wikipedia for %j, which has no address',
    text => {
      expect(readRequest(text)).toMatchObject({ endpoint: usual, host: 'en.wikipedia.org', address: 'none' })
    },
  )

  test.each([
    'api.php?list=search',
    '/w/api.php?list=search',
    'localhost:8080/w/api.php?list=search',
    'GET https://de.wikipedia.org/w/api.php?list=search',
    "curl 'https://de.wikipedia.org/w/api.php?list=search'",
    '<https://de.wikipedia.org/w/api.php?list=search>',
    'ada:SECRET@wiki.example/w/api.php?list=search',
    'javascript:alert(1)?a=b',
    'ftp://wiki.example/?a=b',
    'https://?a=b',
    'https://a b/?a=b',
    'https://wiki.example/w/api.php&wltoken=SECRET',
  ])('is Wikipedia for %j, whose address cannot be read', text => {
    expect(readRequest(text)).toMatchObject({ endpoint: usual, host: 'en.wikipedia.org', address: 'unread' })
  })

  test('ends no script that it stands in', () => {
    const script = forms.fetch(readRequest('srsearch=</script><SCRIPT><!--<b></b>'))
    expect(script).toContain(String.raw`\x3c/script>\x3cSCRIPT>\x3c!--<b></b>`)
  })

  test('is never a pattern to curl', () => {
    expect(forms.curl(readRequest('https://wiki.example/[a-z]?a=b'))).toMatch(/^curl --get --globoff 'https:/)
  })
})

describe('a secret', () => {
  const text = 'list=watchlist&wlowner=Ada&wltoken=SECRET#SECRET'

  test('stands in no form, unless it is asked for', () => {
    for (const write of Object.values(forms)) {
      expect(write(readRequest(text))).not.toContain('SECRET')
      expect(write(readRequest(text))).toMatch(/wltoken.*\*\*\*/)
      expect(write(readRequest(text, { withSecrets: true }))).toContain('SECRET')
    }
  })

  test('goes into a body, never into an address, where there is a choice', async () => {
    const { curl, fetch, python } = await sentBy(text, { withSecrets: true })
    for (const sent of [curl, fetch, python]) {
      expect(sent?.method).toBe('POST')
      expect(sent?.endpoint).toBe(usual)
      expect(sent?.pairs.at(-1)).toEqual(['wltoken', 'SECRET'])
    }
  })

  test('of an address is in no form, even if it is asked for', () => {
    const request = readRequest('https://ada:SECRET@wiki.example/w/api.php?wltoken=x', { withSecrets: true })
    for (const write of Object.values(forms)) expect(write(request)).not.toContain('SECRET')
  })
})

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

  test('has nothing in any form that a terminal or a reader does not see, but its own line breaks', () => {
    for (const { request } of sample) {
      for (const write of Object.values(forms)) {
        expect(write(request).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
      }
      expect(forms.curl(request).split(' \\\n  ').join('')).not.toContain('\n')
    }
  })
})
