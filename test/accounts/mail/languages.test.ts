import { describe, expect, test } from 'vitest'
import type { LetterWords } from '../../../accounts/mail/words.ts'
import { allLanguages } from '../../../shared/words/pseudo.ts'
import { english, letterWords } from '../../support/letter-words.ts'
import { acme, ada, everyMail, link, undoLink } from './every-mail.ts'

const tags = Object.keys(allLanguages)
const mails = Object.entries(everyMail)
const everyMailIn = tags.flatMap(tag => mails.map(([name, writeTo]) => [name, tag, writeTo] as const))

/** A mail's words for people and screen readers, without tags and isolated values. */
const said = (html: string) => html.replace(/<style>[\s\S]*?<\/style>/, '').replaceAll(/<bdi>.*?<\/bdi>|<[^>]+>/g, ' ')

/** A mail's words without its values: right-to-left text isolates them, and a link has its own line. */
const wordsIn = (text: string) =>
  text
    .replaceAll('&amp;', '&')
    .replaceAll(link, '')
    .replaceAll(undoLink, '')
    .replaceAll(/\u2068[^\u2069]*\u2069/g, '')

describe.each(everyMailIn)('a %s mail in %s', (_, tag, writeTo) => {
  const words = letterWords(tag)
  const { subject, text, html } = writeTo(ada, acme, words)
  const align = words.dir === 'rtl' ? 'right' : 'left'

  test('states its language and direction wherever clients take a part, and aligns by it', () => {
    expect(html).toContain(`<html lang="${tag}" dir="${words.dir}">`)
    expect(html).toMatch(new RegExp(`<body[^>]*>\\s*<div dir="${words.dir}" lang="${tag}"`))
    expect(html).toContain(`<table role="presentation" class="page" dir="${words.dir}" lang="${tag}"`)
    expect(html.match(/<td align="(?:left|right)"/g)).toEqual([`<td align="${align}"`])
    expect([...html.matchAll(/ lang="([^"]*)"/g)].map(([, stated]) => stated)).toEqual([tag, tag, tag])
  })

  test('has each value once filled, and no place to break at', () => {
    const odd = { email: '{product}@example.com', name: '{email}[{when}]', isVerified: true }
    const filled = writeTo(odd, { ...acme, productName: '{name}', supportEmail: null }, words)
    for (const value of ['{product}@example.com', '{email}[{when}]', '{name}']) {
      expect(filled.text).toContain(value)
      expect(filled.html).toContain(`<bdi>${value}</bdi>`)
    }
    expect(filled.subject).toContain('{name}')
    for (const part of [subject, text, said(html)]) expect(part).not.toMatch(/[{}\u00ad]|undefined/)
  })

  test('isolates values in plain text where it runs from right to left, and only there', () => {
    const isolates = [subject, text].map(part => part.match(/\u2068[^\u2068\u2069]+\u2069/g)?.length ?? 0)
    if (words.dir === 'rtl') expect(Math.min(...isolates)).toBeGreaterThan(0)
    else expect(isolates).toEqual([0, 0])
    expect(`${subject}${text}`.replaceAll(/\u2068[^\u2068\u2069]+\u2069/g, '')).not.toMatch(/[\u2066-\u2069]/)
  })
})

describe.each(['en-XA', 'ar-XB'])('in %s', tag => {
  // Isolates separate values from words.
  const words: LetterWords = { ...letterWords(tag), dir: 'rtl' }

  test.each(mails)('no part of a %s mail has a word of its own', (_, writeTo) => {
    for (const support of [acme.supportEmail, null])
      for (const name of [ada.name, null]) {
        const { subject, text, html } = writeTo({ ...ada, name }, { ...acme, supportEmail: support }, words)
        for (const part of [subject, text, said(html)]) expect(wordsIn(part)).not.toMatch(/[a-z]/i)
      }
  })
})

test.each(['fa', 'ar-EG', 'th'])('times in %s have its words, and the digits and years of codes', tag => {
  const { text } = everyMail['factor-set-up with an undo link'](ada, acme, { ...english, tag })
  expect(text).toMatch(/2026.* UTC/)
  expect(text).not.toMatch(/March|days|[^\P{Nd}0-9]/u)
})
