import { describe, expect, test } from 'vitest'
import { writeLink, writeNotice } from '../../../shared/accounts/letters.ts'
import { lifetimes } from '../../../shared/accounts/one-time-token.ts'

const link = 'https://auth.example.com/verify-email?token=Zk3vYk1b0mS8m1qQm7C4XwKf2u0s9d8J6h5G4f3D2s1'
const ada = { email: 'ada@example.com', name: 'Ada Lovelace', isVerified: true }

const kinds = ['verification', 'reset'] as const
const named = (name: string | null) => writeLink('reset', { ...ada, name }, link)

/** The name as the HTML has it. */
const greetingIn = (html: string) => /<bdi>([\s\S]*?)<\/bdi>/.exec(html)?.[1]

describe.each(kinds)('a %s mail', kind => {
  const { subject, text, html } = writeLink(kind, ada, link)

  test('says whom it is for, by name and address, in both forms', () => {
    for (const form of [text, html]) {
      expect(form).toContain('Hello Ada Lovelace,')
      expect(form).toContain('ada@example.com')
    }
  })

  test('has one button, and the bare link on a line of its own', () => {
    expect(html.split(`href="${link}"`)).toHaveLength(3)
    expect(html).toContain(`>${link}</a>`)
    expect(text.split('\n')).toContain(link)
  })

  test('says which site it is about, and what to do if it was not you', () => {
    for (const form of [text, html]) {
      expect(form).toContain('auth.example.com.')
      expect(form).toContain('If it was not you,')
    }
  })

  test('links to nothing but its link, and loads nothing', () => {
    expect(new Set(html.match(/\w+:\/\/[^"<\s]+/g))).toEqual(new Set([link]))
    expect(html).not.toMatch(/<(img|script|link|iframe|form)\b|\bsrc=|url\(|@import/i)
  })

  test('holds its looks without its style sheet', () => {
    const stripped = html.replace(/<style>[\s\S]*?<\/style>/, '')
    expect(stripped).toMatch(/<a href="[^"]+" style="[^"]*background:#1f5fbf;color:#ffffff/)
    expect(stripped).toMatch(/<td [^>]*bgcolor="#1f5fbf"/)
  })

  test('has a subject without any word that somebody can choose', () => {
    const other = writeLink(
      kind,
      { email: 'bob@example.net', name: 'Bob', isVerified: true },
      'https://elsewhere.example/x?token=y',
    )
    expect(other.subject).toBe(subject)
    expect(subject).toMatch(/^[\x20-\x7e]{5,60}$/)
  })
})

test.each([
  ['verification', lifetimes.verification, 'The link works once, within 24 hours.'],
  ['reset', lifetimes.reset, 'The link works once, within 1 hour.'],
] as const)('a %s mail says how long its link lives', (kind, _, sentence) => {
  const { text, html } = writeLink(kind, ada, link)
  expect(text).toContain(sentence)
  expect(html).toContain(sentence)
})

test('the two kinds do not pass for each other', () => {
  const [verification, reset] = kinds.map(kind => writeLink(kind, ada, link))
  expect(verification?.subject).not.toBe(reset?.subject)
  expect(verification?.text).not.toBe(reset?.text)
})

test.each([
  ['verification', (to: typeof ada) => writeLink('verification', to, link)],
  ['reset', (to: typeof ada) => writeLink('reset', to, link)],
  ['notice', (to: typeof ada) => writeNotice('password-changed', to, 'https://auth.example.com')],
])('a %s mail to an address that is not verified has nothing of the name, which is anybody’s text', (_, write) => {
  const { subject, text, html } = write({ ...ada, isVerified: false })
  expect(text).toMatch(/^Hello,\n/)
  expect(greetingIn(html)).toBe('Hello,')
  expect(`${subject}${text}${html}`).not.toContain('Lovelace')
})

test.each([
  ['no name', null],
  ['an empty name', ''],
  ['a name of spaces', '  \u2029 '],
])('%s is greeted without one', (_, name) => {
  expect(named(name).text).toMatch(/^Hello,\n/)
  expect(greetingIn(named(name).html)).toBe('Hello,')
})

test.each([
  ['a tag', '<script>alert(1)</script>', 'Hello &lt;script&gt;alert(1)&lt;/script&gt;,'],
  ['an attribute’s end', `"'><b onclick=x`, 'Hello &quot;&#39;&gt;&lt;b onclick=x,'],
  ['an entity', '&lt;', 'Hello &amp;lt;,'],
])('%s in a name is only text', (_, name, greeting) => {
  expect(greetingIn(named(name).html)).toBe(greeting)
})

test('an address and a link are escaped as well', () => {
  const { html } = writeLink(
    'reset',
    { email: "o'brien&sons@example.com", name: null, isVerified: true },
    'https://x.example/a?b=c&d="e"',
  )
  expect(html).toContain('o&#39;brien&amp;sons@example.com')
  expect(html).toContain('href="https://x.example/a?b=c&amp;d=&quot;e&quot;"')
})

test.each([
  ['line breaks', 'Ada\r\n\u2028\u2029\u0085Lovelace', 'Hello Ada Lovelace,'],
  ['overrides of direction', 'Ada\u202egro.live\u2066\u2069', 'Hello Ada gro.\u200blive,'],
])('%s in a name do not reach the words around it', (_, name, greeting) => {
  expect(named(name).text.split('\n')[0]).toBe(greeting)
  expect(greetingIn(named(name).html)).toBe(greeting)
})

test.each([
  'win.example.com',
  'http://127.0.0.1/now',
  'HTTPS://WIN.EXAMPLE',
  'mallory@win.example',
  'mailto:mallory@win.example',
])('a mail client finds no link in the name %s', name => {
  const greeting = named(name).text.split('\n')[0]
  expect(greeting).not.toMatch(/\.\p{L}{2}|[:@][^\s\u200b]/u)
  expect(greeting?.replaceAll('\u200b', '')).toBe(`Hello ${name},`)
})

test.each(['J. R. R. Tolkien', 'J.R.R. Tolkien', 'Łukasz', '田中さくら', 'محمد', '👩‍👩‍👧 family'])(
  'the name %s stays exactly as it is',
  name => {
    expect(named(name).text.split('\n')[0]).toBe(`Hello ${name},`)
  },
)
