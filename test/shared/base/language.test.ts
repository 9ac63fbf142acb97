import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseLanguage, lookUp, saidLanguage } from '../../../shared/base/language.ts'
import { holds } from '../../support/property.ts'

const offered = ['en', 'de', 'fr', 'zh-Hant', 'de-CH']

describe('a language range leads to the longest offered tag it begins with (RFC 4647):', () => {
  test.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE-at', 'de'],
    ['de-CH-1901', 'de-CH'],
    ['zh-hant-TW', 'zh-Hant'],
    ['fr-x-de', 'fr'],
    ['en-a-bbb-x-a-ccc', 'en'],
    ['zh', null],
    ['zh-Hans', null],
    ['den', null],
    ['den-AT', null],
    ['x-de', null],
    ['pl', null],
  ])('%s to %s', (range, found) => {
    expect(lookUp(offered, range)).toBe(found)
  })

  test.each([
    '',
    '*',
    'de-*',
    '*-DE',
    'de_AT',
    'de-',
    '-de',
    'de--AT',
    ' de',
    'de ',
    'de-abcdefghi',
    'abcdefghi',
    'd€',
    '1de',
    'ſk',
    'de\n',
  ])('%j is malformed, and leads nowhere', range => {
    expect(lookUp(['d', ...offered], range)).toBeNull()
  })
})

describe('of `Accept-Language`,', () => {
  test.each<[rule: string, accept: string, chosen: string]>([
    ['the greatest weight leads', 'fr;q=0.8, de;q=0.9', 'de'],
    ['a range without a weight has the greatest', 'fr;q=0.999, de', 'de'],
    ['the order leads where weights are equal', 'fr;q=0.5, de;q=0.5', 'fr'],
    ['the next leads, where the first leads nowhere', 'pl, cs;q=0.9, fr-CA;q=0.1', 'fr'],
    ['a less exact range leads before one of less weight', 'de-AT, fr;q=0.9', 'de'],
    ['names, blanks and tabs may stand as they like', '\tPL ,\t FR-ca \t; \tQ=0.5\t', 'fr'],
    ['a weight may have three digits, or none', 'fr;q=0.001, de;q=1.', 'de'],
    ['nothing leads to the default', 'pl', 'en'],
    ['an empty field leads to the default', '', 'en'],
    ['`*` says nothing', '*, fr;q=0.1', 'fr'],
    ['`*` alone leads to the default', '*', 'en'],
    ['a weight of 0 takes out the tag that equals its range', 'de;q=0, de-AT', 'en'],
    ['a weight of 0 takes it out wherever it stands', 'de-AT, DE;q=0.000, fr;q=0.1', 'fr'],
    ['a weight of 0 takes out no other tag', 'de-AT;q=0, de', 'de'],
    ['a weight of 0 takes out a longer tag alone', 'de-CH;q=0, de-CH-1901', 'de'],
    ['`*` with a weight of 0 says nothing', 'fr, *;q=0', 'fr'],
    ['the default stands, though its weight is 0, when nothing else leads', 'en;q=0, pl', 'en'],
    ['the default leads no more than others, if its weight is 0', 'en;q=0, en-GB, fr;q=0.1', 'fr'],
  ])('%s: %j', (_, accept, chosen) => {
    expect(chooseLanguage(offered, { accept })).toBe(chosen)
  })

  test.each([
    'de;q=1.1',
    'de;q=2',
    'de;q=-1',
    'de;q=0.1234',
    'de;q=.5',
    'de;q=1.001',
    'de;q=',
    'de;q',
    'de;',
    'de; q = 1',
    'de;q=0,5;',
    'de;q=1;q=1',
    'de;level=1',
    'de fr',
    'de_DE',
    '"de"',
    'de\u00a0',
    'dé',
  ])('%j is malformed, and skipped alone', malformed => {
    expect(chooseLanguage(offered, { accept: `${malformed}, fr;q=0.001` })).toBe('fr')
  })

  test('20 members are read, empty and malformed ones too', () => {
    expect(chooseLanguage(offered, { accept: `${','.repeat(19)}fr` })).toBe('fr')
    expect(chooseLanguage(offered, { accept: `${','.repeat(20)}fr` })).toBe('en')
    expect(chooseLanguage(offered, { accept: `${'de;q=9,'.repeat(20)}fr` })).toBe('en')
  })

  test.each([
    ['the last of 1,000 is', `pl${' '.repeat(995)},fr`, 'fr'],
    ['one that ends there is, with another behind it', `pl${' '.repeat(995)},fr,de;q=0`, 'fr'],
    ['one that is cut is none', `de;q=0.5${' '.repeat(989)},fr-CA`, 'de'],
    ['one that is cut is none, though it reads well', `de;q=0.5${' '.repeat(989)},fr;q=0.1`, 'de'],
    ['one alone that is cut is none', `fr${' '.repeat(999)}`, 'en'],
  ])('1,000 characters are read: %s', (_, accept, chosen) => {
    expect(chooseLanguage(offered, { accept })).toBe(chosen)
  })
})

describe('the first that leads to an offered language is chosen:', () => {
  test.each([
    ['the query', { lang: 'fr', accept: 'de' }, 'fr'],
    ['the query, by lookup', { lang: 'de-AT', accept: 'fr' }, 'de'],
    ['the query, though the field refuses it', { lang: 'fr', accept: 'fr;q=0, de' }, 'fr'],
    ['the field, where the query offers nothing', { lang: 'pl', accept: 'de' }, 'de'],
    ['the field, where the query is malformed', { lang: 'fr;q=1', accept: 'de' }, 'de'],
    ['the field, where there is no query', { accept: 'de' }, 'de'],
    ['the default', {}, 'en'],
  ])('%s', (_, said, chosen) => {
    expect(chooseLanguage(offered, said)).toBe(chosen)
  })

  test('what is not said is told apart from the default', () => {
    expect(saidLanguage(offered, { lang: 'pl', accept: 'cs' })).toBeNull()
    expect(saidLanguage(offered, { accept: 'en' })).toBe('en')
  })

  test('without LANGUAGES it is English, for any request', () => {
    expect(chooseLanguage([], { lang: 'de', accept: 'de' })).toBe('en')
  })
})

describe('whatever a stranger sends', () => {
  const pieces = fc.constantFrom(
    'de',
    'fr',
    'zh',
    'Hant',
    '-',
    ',',
    ';',
    'q=',
    '0',
    '1',
    '.',
    '5',
    '*',
    ' ',
    '\t',
    'ı',
    'é',
  )
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 400 }).map(all => all.join('')),
    fc.string({ unit: 'binary', maxLength: 2000 }),
    fc.uint8Array({ maxLength: 2000 }).map(bytes => Buffer.from(bytes).toString('latin1')),
  )

  test('an offered language is chosen', () =>
    holds(
      fc.record({ lang: texts, accept: texts }, { requiredKeys: [] }),
      async said => {
        expect(offered).toContain(chooseLanguage(offered, said))
      },
      1000,
    ))

  test('each offered tag is compared twice a member, and once again, whatever the length', () =>
    holds(texts, async accept => {
      let looks = 0
      const counted = offered.map(tag => ({
        length: tag.length,
        toLowerCase() {
          looks += 1
          return tag.toLowerCase()
        },
      }))
      chooseLanguage(counted as unknown as string[], { lang: 'pl', accept: accept.repeat(50) })
      expect(looks).toBeLessThanOrEqual(offered.length * (2 * 20 + 1))
    }))
})
