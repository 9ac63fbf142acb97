import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareMistyped, rank } from '../../../../catalogue/explorer/client/search/rank.ts'
import { findWithin } from '../../../../catalogue/nearest.ts'
import { seed } from '../../../support/property.ts'
import { linesOf, search, some, textsOf } from './searched.ts'

describe('the best comes first:', () => {
  test('exact, then the beginning, then the middle, then one typo', () => {
    const known = ['xlinks', 'link', 'linksto', 'linsk', 'links'].map(text => some('module', text))
    expect(textsOf('links', known)).toEqual(['links', 'linksto', 'xlinks', 'link', 'linsk'])
  })

  test('among these a module, a prefix, a wire name, a parameter, a value', () => {
    const kinds = ['value', 'parameter', 'wire name', 'prefix', 'module'] as const
    const known = kinds.map(kind => some(kind, 'title'))
    expect(rank('title', known).map(({ entry: { kind } }) => kind)).toEqual(kinds.toReversed())
  })

  test('among these the shortest', () => {
    expect(
      textsOf(
        'link',
        ['linkss', 'links', 'linksss'].map(text => some('value', text)),
      ),
    ).toEqual(['links', 'linkss', 'linksss'])
  })

  test('among these the first of the catalogue', () => {
    expect(
      textsOf(
        'link',
        ['linkb', 'linka'].map(text => some('value', text)),
      ),
    ).toEqual(['linkb', 'linka'])
  })

  test('a better match of a worse kind before a worse match of a better kind', () => {
    expect(textsOf('link', [some('module', 'links'), some('value', 'link')])).toEqual(['link', 'links'])
  })
})

describe('a text is found, and says why:', () => {
  test.each([
    ['allusers', '[allusers]: list module'],
    ['ALLUSERS', '[allusers]: list module'],
    ['query+allusers', '[query+allusers]: list module'],
    ['query+allu', '[query+allu]sers: list module'],
    ['allu', '[allu]sers: list module'],
    ['llusers', 'a[llusers]: list module'],
    ['allsuers', '[all]us[ers]: similar: list module'],
    ['au', '[au]: prefix of allusers'],
    ['gpl', '[gpl]: prefix of links as generator'],
    ['aurights', '[aurights]: wire name of allusers: parameter rights'],
    ['gplnamespace', '[gplnamespace]: wire name of links as generator: parameter namespace'],
    ['witheditsonly', '[witheditsonly]: parameter of allusers'],
    ['autocreateaccount', '[autocreateaccount]: value of allusers › rights'],
    ['!TOP', '[!top]: value of usercontribs › show'],
    ['pageviews', '[pageviews]: of the extension PageViewInfo: not in this catalogue'],
  ])('%s', (typed, line) => {
    expect(linesOf(typed)[0]).toBe(line)
  })

  test('a plural by its singular, and a singular by its plural', () => {
    expect(linesOf('category')).toContain('[categories]: prop module')
    expect(linesOf('allcategory')).toEqual(['[allcategories]: list module'])
    expect(linesOf('categories')).toContain('[category]info: prop module')
    expect(linesOf('categoryinfos')).toEqual(['[categoryinfo]: prop module'])
  })

  test.each(['', '   ', 'nothing-of-the-kind', '.*', '<b>'])('but not %j', typed => {
    expect(search(typed)).toEqual({ rows: [], total: 0, shown: 0 })
  })
})

describe('a typo', () => {
  test.each([
    ['a letter left out', 'namspace', ['nam', 'space']],
    ['a letter put in', 'namexspace', ['name', 'space']],
    ['a letter mistaken', 'mamespace', ['amespace']],
    ['two letters that changed places', 'namepsace', ['name', 'ace']],
  ])('is %s; the letters that are right are marked', (_, typed, marked) => {
    expect(compareMistyped(typed, 'namespace')?.map(span => 'namespace'.slice(...span))).toEqual(marked)
  })

  test('is not looked for in texts of less than three letters', () => {
    expect(compareMistyped('au', 'al')).toBeNull()
  })

  test('is the Damerau-Levenshtein distance 1', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 7 })
    fc.assert(
      fc.property(texts, texts, (typed, text) => {
        const isNear = typed !== text && findWithin(1, typed, [text]).length > 0
        expect(compareMistyped(typed, text) !== null).toBe(isNear)
      }),
      { seed, numRuns: 2000 },
    )
  })
})
