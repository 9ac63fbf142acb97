import { describe, expect, test } from 'vitest'
import { writeLink } from '../../../accounts/mail/templates.ts'
import { inTheDark } from '../../../shared/base/colour.ts'
import { escapeHtml } from '../../../shared/base/html.ts'
import { allLanguages } from '../../../shared/words/pseudo.ts'
import { english, letterWords } from '../../support/letter-words.ts'
import { acme, ada, everyLink, everyMail, everyNotice, link, resetWith, undoLink } from './every-mail.ts'

const named = (name: string | null) => writeLink(english, 'reset', { ...ada, name }, link, acme)

/** The notices with an undo link, and those without. */
const [undoing, telling] = [true, false].map(undoes =>
  Object.entries(everyNotice).filter(([name]) => name.endsWith('with an undo link') === undoes),
)

/** The visible text of the HTML, one paragraph a line. */
const seen = (html: string) =>
  html
    .replace(/^[\s\S]*<body/, '<body')
    .split(/<\/(?:p|h1|li|td)>/)
    .map(part =>
      part
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll('&#39;', "'")
        .trim(),
    )

/** The preheader: the hidden text at the beginning, shown in lists of mails. */
const previewIn = (html: string) =>
  /<body[^>]*>\s*<div [^>]*style="display:none;[^"]*mso-hide:all">([^<]*)<\/div>/.exec(html)?.[1]

/** The greeting as the HTML has it. */
const greetingIn = (html: string) => /<p[^>]*>(Hello[\s\S]*?)<\/p>/.exec(html)?.[1]?.replaceAll(/<\/?bdi>/g, '')

describe.each(Object.entries(everyMail))('a %s mail', (_, writeTo) => {
  const { subject, text, html } = writeTo(ada, acme)

  test('names its recipient, by name and address, in both forms', () => {
    for (const form of [text, seen(html).join('\n')]) {
      expect(form).toContain('Hello Ada Lovelace,')
      expect(form).toContain('with the address ada@example.com')
    }
  })

  test('says the same in both forms', () => {
    for (const paragraph of text.trim().split(/\n\n|\n- /)) {
      expect(seen(html).some(part => part.startsWith(paragraph))).toBe(true)
    }
  })

  test('names product and support address, and says what to do if it wasn’t you', () => {
    for (const form of [text, seen(html).join('\n')]) {
      expect(form).toContain(' Acme account ')
      expect(form).toContain('Sent by Acme. Questions? Write to help@acme.example.')
      expect(form).toMatch(/If (?:it was not you|you did not (?:expect|ask for) this),/)
      expect(form).not.toContain('Gatehouse')
    }
  })

  test('names no support address where there is none', () => {
    const silent = writeTo(ada, { ...acme, supportEmail: null })
    expect(silent.text).toMatch(/\n\nSent by Acme\.\n$/)
    expect(seen(silent.html)).toContain('Sent by Acme.')
  })

  test('has a subject with the product’s name, and no text that a user chose', () => {
    const other = writeTo({ email: 'bob@example.net', name: 'Bob', isVerified: true }, acme)
    expect(other.subject).toBe(subject)
    expect(subject).toMatch(/\bAcme\b/)
    expect(writeTo(ada, { ...acme, productName: 'Smith & Söhne' }).subject).toBe(
      subject.replace('Acme', 'Smith & Söhne'),
    )
  })

  test('escapes the product’s name, and isolates its text direction', () => {
    const named = writeTo(ada, { ...acme, productName: '<b>"بوابة" & \'x\'</b>' })
    expect(named.text).toContain(' <b>"بوابة" & \'x\'</b> account ')
    expect(named.html).toContain(' <bdi>&lt;b&gt;&quot;بوابة&quot; &amp; &#39;x&#39;&lt;/b&gt;</bdi> account ')
    expect(named.html).not.toMatch(/<b>/)
  })

  test('runs from left to right in a right-to-left client', () => {
    expect(html).toMatch(/<body[^>]*>\s*<div dir="ltr" lang="en"[^>]*>[^<]*<\/div>\s*<table [^>]*dir="ltr" lang="en"/)
    expect(html).toMatch(/<td align="left"/)
  })

  test('shows in a list of mails what the subject lacks, and nothing of the account', () => {
    const preview = previewIn(html)
    expect(preview).toMatch(/^[A-Z].{40,110}\.$/)
    expect(preview).not.toContain(subject)
    expect(previewIn(writeTo({ email: 'bob@example.net', name: 'Bob', isVerified: true }, acme).html)).toBe(preview)
    expect(text).not.toContain(preview)
  })

  test('has at its head the product’s logo, which says its name, or the name', () => {
    const headOf = (logoUrl: string | null) => {
      const written = writeTo(ada, { ...acme, productName: 'A & B', logoUrl }).html
      return /<p class="note"[^>]*>(.*?)<\/p>\s*<h1/s.exec(written)?.[1]
    }
    expect(headOf('https://cdn.example.com/a.png?a=1&b=2')).toMatch(
      /^<img src="https:\/\/cdn\.example\.com\/a\.png\?a=1&amp;b=2" alt="A &amp; B" height="32" style="[^"]*">$/,
    )
    // Mail clients show no data URIs.
    for (const logoUrl of [null, 'data:image/svg+xml,%3Csvg/%3E']) expect(headOf(logoUrl)).toBe('<bdi>A &amp; B</bdi>')
  })

  test.each([
    [{ termsUrl: 'https://example.com/terms?a=1&b=2' }, ['Terms of use']],
    [{ privacyUrl: 'https://example.com/privacy' }, ['Privacy policy']],
    [
      { termsUrl: 'https://example.com/terms', privacyUrl: 'https://example.com/privacy' },
      ['Terms of use', 'Privacy policy'],
    ],
  ])('links at its foot to %j', (documents, names) => {
    const linked = writeTo(ada, { ...acme, ...documents })
    const addresses = Object.values(documents)
    expect(linked.text).toBe(`${text}\n${names.map((name, i) => `${name}\n${addresses[i]}`).join('\n\n')}\n`)
    const [, ...foot] = linked.html.split('Sent by ')
    const links = [...foot.join('').matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g)]
    expect(links.map(([, href, name]) => [name, href])).toEqual(
      names.map((name, i) => [name, escapeHtml(addresses[i] ?? '')]),
    )
  })

  test('loads nothing', () => {
    expect(html).not.toMatch(/<(img|script|link|iframe|form)\b|\bsrc=|url\(|@import/i)
  })
})

describe.each([
  ...Object.entries(everyLink).map(([name, writeTo]) => [name, link, writeTo] as const),
  ...(undoing ?? []).map(([name, writeTo]) => [name, undoLink, writeTo] as const),
])('a %s mail with a link', (_, link, writeTo) => {
  const { text, html } = writeTo(ada, acme)

  test('has one button, and the bare link on a line of its own', () => {
    expect(html.split(`href="${link}"`)).toHaveLength(3)
    expect(html).toContain(`>${link}</a>`)
    expect(text.split('\n')).toContain(link)
  })

  test('links to nothing but its link', () => {
    expect(new Set(html.match(/\w+:\/\/[^"<\s]+/g))).toEqual(new Set([link]))
  })

  test.each([
    [null, '#1f5fbf', '#8ab4f8'],
    ['#7f0000', '#7f0000', inTheDark('#7f0000')],
  ])('keeps its design, with the accent colour %s, without its style sheet', (accentColor, accent, dark) => {
    const { html } = writeTo(ada, { ...acme, accentColor })
    const stripped = html.replace(/<style>[\s\S]*?<\/style>/, '')
    expect(stripped).toMatch(new RegExp(`<a href="[^"]+" style="[^"]*background:${accent};color:#ffffff`))
    expect(stripped).toMatch(new RegExp(`<td [^>]*style="[^"]*background:${accent}`))
    expect(html).toContain(`.button { background: ${dark} !important; color: #10151c !important }`)
  })
})

test.each(telling ?? [])('a %s mail that undoes nothing has no link to follow', (_, writeTo) => {
  const { text, html } = writeTo(ada, acme)
  expect(`${text}${html}`).not.toMatch(/https?:|href=/)
})

test.each(Object.entries(everyNotice))('a %s mail says when it happened, in UTC, in all its forms', (_, writeTo) => {
  const { text, html } = writeTo(ada, acme)
  for (const form of [text, seen(html).join('\n'), previewIn(html)])
    expect(form).toContain(' on 1 March 2026 at 12:00 UTC')
})

test.each([
  ['verification', 'The link works once, within 24 hours.'],
  ['reset', 'The link works once, within 1 hour.'],
  ['email-change', 'The link works once, within 24 hours.'],
  ['moved', 'The link works once, within 1 hour.'],
  // A later mail of the same invitation has the same expiry.
  ['invitation', 'The link works once, until 1 March 2026 at 12:00 UTC.'],
  ['email-changed with an undo link', 'The link works once, within 7 days.'],
  ['factor-set-up with an undo link', 'The link works once, within 7 days.'],
  ['passkey-added with an undo link', 'The link works once, within 7 days.'],
] as const)('a %s mail says how long its link lives', (kind, sentence) => {
  const { text, html } = everyMail[kind](ada, acme)
  expect(text).toContain(sentence)
  expect(html).toContain(sentence)
})

test.each(Object.keys(allLanguages))('in %s each kind and form has a subject of its own', tag => {
  const words = letterWords(tag)
  const subjects = new Map<string, Set<string>>()
  for (const [name, writeTo] of Object.entries(everyMail)) {
    const [kind = ''] = name.split(' ')
    subjects.set(kind, (subjects.get(kind) ?? new Set()).add(writeTo(ada, acme, words).subject))
  }
  const all = [...subjects.values()].flatMap(ofKind => [...ofKind])
  expect(all).toHaveLength(subjects.size)
  expect(new Set(all).size).toBe(subjects.size)
})

test('the notice of a move shows the new address to who knows it alone', () => {
  const [told, undone] = [everyMail['email-changed'], everyMail['email-changed with an undo link']].map(write =>
    write(ada, acme),
  )
  for (const letter of [told, undone]) {
    expect(letter?.text).toContain('was changed to c…@example.org on')
    expect(`${letter?.text}${letter?.html}`).not.toContain('countess')
  }
  expect(undone?.text).toContain('undo the change with the link')
  expect(told?.text).not.toMatch(/undo|link/)
  expect(everyMail['change-undone'](ada, acme).text).toContain('was changed back to c…@example.org on')
})

test('a reset mail names a device of a passkey in its own language', () => {
  expect(resetWith('Chrome, Linux')(ada, acme).text).toContain('- The passkey “Chrome on Linux”, added on')
  expect(resetWith('Chrome, Linux')(ada, acme, letterWords('de')).text).toContain('Chrome unter Linux')
})

test.each([
  ['markup', '<b>{email} [x] $&', '<b>{email} [x] $&', '&lt;b&gt;{email} [x] $&amp;'],
  ['a line', 'Phone\n- The passkey', 'Phone - The passkey', 'Phone - The passkey'],
  ['an override of direction', 'a\u202eb', 'a b', 'a b'],
  ['a link', 'http://win.example', 'http:\u200b//win.\u200bexample', 'http:\u200b//win.\u200bexample'],
])('%s in the label of a passkey is only text', (_, label, plain, markup) => {
  const { text, html } = resetWith(label)(ada, acme)
  expect(text).toContain(`\n- The passkey “${plain}”, added on`)
  expect(html).toContain(`<li>The passkey “<bdi>${markup}</bdi>”, added on <bdi>1 March 2026</bdi></li>`)
})

test.each(Object.entries(everyMail))('a %s mail to an unverified address has nothing of the name', (_, writeTo) => {
  const { subject, text, html } = writeTo({ ...ada, isVerified: false }, acme)
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
    english,
    'reset',
    { email: "o'brien&sons@example.com", name: null, isVerified: true },
    'https://x.example/a?b=c&d="e"',
    acme,
  )
  expect(html).toContain('o&#39;brien&amp;sons@example.com')
  expect(html).toContain('href="https://x.example/a?b=c&amp;d=&quot;e&quot;"')
})

test.each([
  ['line breaks', 'Ada\r\n\u2028\u2029\u0085Lovelace', 'Hello Ada Lovelace,'],
  ['overrides of direction', 'Ada\u202egro.live\u2066\u2069', 'Hello Ada gro.\u200blive,'],
])('%s in a name do not affect the words around it', (_, name, greeting) => {
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
