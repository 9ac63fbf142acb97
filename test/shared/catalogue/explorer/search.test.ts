import { brotliCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildCatalogue } from '../../../../shared/catalogue/build/catalogue.ts'
import { compactCatalogue } from '../../../../shared/catalogue/build/compact.ts'
import { readSource } from '../../../../shared/catalogue/build/source.ts'
import { alsoCalled } from '../../../../shared/catalogue/explorer/client/search/also-called.ts'
import {
  addressOf,
  type Entry,
  explain,
  listEntries,
} from '../../../../shared/catalogue/explorer/client/search/entries.ts'
import { compareMistyped, rank } from '../../../../shared/catalogue/explorer/client/search/rank.ts'
import { listResults } from '../../../../shared/catalogue/explorer/client/search/rows.ts'
import { findWithin } from '../../../../shared/catalogue/nearest.ts'
import { knowledge } from '../../../support/catalogue/validate.ts'
import { seed } from '../../../support/property.ts'

const entries = listEntries(compactCatalogue(buildCatalogue(readSource())))

const search = (typed: string, opened: ReadonlySet<Entry> = new Set()) => listResults(rank(typed, entries), opened)

/** What a person sees of the lines: the text, with what matched in brackets, and why. */
const linesOf = (typed: string): string[] =>
  search(typed).rows.map(({ match: { text, marks }, why }) => {
    const marked = marks.toReversed().reduce((text, [start, end]) => {
      return `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`
    }, text)
    return `${marked}: ${why}`
  })

const some = (kind: Entry['kind'], text: string, ...places: Entry['places']): Entry => ({
  kind,
  text,
  lower: text.toLowerCase(),
  ...(kind === 'module' && { path: `query+${text}` }),
  places,
})

const textsOf = (typed: string, known: readonly Entry[]) => rank(typed, known).map(({ entry: { text } }) => text)

describe('what can be searched for', () => {
  const of = (kind: Entry['kind']) => entries.filter(entry => entry.kind === kind)
  const places = (kind: Entry['kind']) => of(kind).flatMap(({ places }) => places).length

  test('is every module, prefix, wire name, parameter and value', () => {
    expect(of('module').map(({ text }) => text)).toEqual([...knowledge.modules.keys()])
    expect(new Set(of('wire name').map(({ text }) => text))).toEqual(new Set(knowledge.wires.keys()))
    expect(of('wire name')).toHaveLength(834)
    expect(places('parameter')).toBe(500)
    // Four of 1,038 values are empty.
    expect(places('value')).toBe(1034)
    // Each module has a prefix but tokens, each of the 36 generators one more.
    expect(places('prefix')).toBe(61 + 36)
  })

  test('is each text once, with all its places', () => {
    for (const kind of new Set(entries.map(({ kind }) => kind))) {
      const texts = of(kind).map(({ text }) => text)
      expect(texts).toEqual([...new Set(texts)])
    }
    expect(entries.find(({ kind, text }) => kind === 'parameter' && text === 'limit')?.places).toHaveLength(50)
  })

  test('is what people call a module too, which its name does not say', () => {
    for (const [name, words] of Object.entries(alsoCalled)) {
      expect(knowledge.modules.has(name), name).toBe(true)
      for (const word of words.split(' ')) expect(name, word).not.toContain(word)
    }
    // As much of the 45 KB of a first visit as they may take.
    expect(brotliCompressSync(JSON.stringify(alsoCalled)).length).toBeLessThan(1024)
  })

  test('holds no white space, which is taken out of what is typed', () => {
    expect(entries.filter(({ text }) => /\s/.test(text))).toEqual([])
    expect(textsOf('  All\tUsers ', entries)).toEqual(textsOf('allusers', entries))
  })
})

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
    ['contributions', 'usercontribs: list module, also called contributions'],
    ['versions', 'revisions: prop module, also called versions'],
  ])('%s', (typed, line) => {
    expect(linesOf(typed)[0]).toBe(line)
  })

  test('a plural by its singular, and a singular by its plural', () => {
    expect(linesOf('category')).toContain('[categories]: prop module')
    expect(linesOf('allcategory')).toEqual(['[allcategories]: list module'])
    expect(linesOf('categories')).toContain('[category]info: prop module')
    expect(linesOf('categoryinfos')).toEqual(['[categoryinfo]: prop module'])
  })

  test('all modules of one other name, before what has the word within', () => {
    expect(linesOf('edits').slice(0, 4)).toEqual([
      'allrevisions: list module, also called edits',
      'recentchanges: list module, also called edits',
      'usercontribs: list module, also called edits',
      'revisions: prop module, also called edits',
    ])
  })

  test.each(['', '   ', 'nothing-of-the-kind', '.*', '<b>'])('but not %j', typed => {
    expect(search(typed)).toEqual({ rows: [], total: 0, shown: 0 })
  })
})

describe('a typo', () => {
  test.each([
    [
      'a letter left out',
      'namspace',
      [
        [0, 3],
        [4, 9],
      ],
    ],
    [
      'a letter put in',
      'namexspace',
      [
        [0, 4],
        [4, 9],
      ],
    ],
    ['a letter mistaken', 'mamespace', [[1, 9]]],
    [
      'two letters that changed places',
      'namepsace',
      [
        [0, 4],
        [6, 9],
      ],
    ],
  ])('is %s; the letters that are right are marked', (_, typed, marks) => {
    expect(compareMistyped(typed, 'namespace')).toEqual(marks)
  })

  test.each([
    ['is not two of them', 'nmspace', 'namespace'],
    ['is not nothing', 'namespace', 'namespace'],
    ['is not looked for in texts of less than three letters', 'au', 'al'],
  ])('%s', (_, typed, text) => {
    expect(compareMistyped(typed, text)).toBeNull()
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

describe('a text that stands in many places', () => {
  test('is shown with three of them, and says how many more there are', () => {
    expect(linesOf('limit').slice(0, 5)).toEqual([
      '[limit]: parameter of allcategories',
      '[limit]: parameter of alldeletedrevisions',
      '[limit]: parameter of allfileusages',
      '[limit]: 47 more parameters named limit',
      'ac[limit]: wire name of allcategories: parameter limit',
    ])
  })

  test('is shown with all of them once one has asked for it', () => {
    const { rows, total, shown } = search('limit', new Set([entries.find(({ text }) => text === 'limit') as Entry]))
    expect(rows.slice(0, 50).every(({ href }) => href?.endsWith('#limit'))).toBe(true)
    expect(rows.every(({ href }) => href)).toBe(true)
    expect(shown).toBe(50)
    expect(total).toBe(search('limit').total)
  })

  test('is shown whole where a single one would be left', () => {
    const places = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        module: { name: `m${n}`, group: 'list' as const },
        parameter: 'p',
      }))
    const whysOf = (count: number) =>
      listResults(rank('text', [some('value', 'text', ...places(count))]), new Set()).rows.map(({ why }) => why)
    expect(whysOf(4)).toEqual(['value of m0 › p', 'value of m1 › p', 'value of m2 › p', 'value of m3 › p'])
    expect(whysOf(5).at(-1)).toBe('2 more values named text')
  })
})

test('no more is shown than one can look through, but all is counted', () => {
  const { rows, total, shown } = search('e')
  expect(rows.length).toBeLessThan(45)
  expect(shown).toBe(rows.filter(({ href }) => href).length)
  expect(total).toBe(
    entries.filter(({ lower, path }) => (path ?? lower).includes('e')).flatMap(({ places }) => places).length,
  )
})

describe('each result leads to its page and anchor:', () => {
  const addressesOf = (typed: string) => search(typed).rows.flatMap(({ href }) => href ?? [])

  test.each([
    ['allusers', '/catalogue/explore/query+allusers'],
    ['gpl', '/catalogue/explore/query+links'],
    ['gplnamespace', '/catalogue/explore/query+links#namespace'],
    ['witheditsonly', '/catalogue/explore/query+allusers#witheditsonly'],
    ['apihighlimits', '/catalogue/explore/query+allusers#rights=apihighlimits'],
    ['block/reblock', '/catalogue/explore/query+logevents#action=block/reblock'],
  ])('%s to %s', (typed, address) => {
    expect(addressesOf(typed)[0]).toBe(address)
  })

  test('of every entry, to a parameter that the module has and a value that it takes', () => {
    for (const entry of entries) {
      for (const place of entry.places) {
        const { pathname, hash } = new URL(addressOf(entry, place), 'https://explorer.example')
        const [parameter = '', value] = decodeURIComponent(hash.slice(1)).split('=')
        const module = knowledge.modules.get(pathname.replace('/catalogue/explore/query+', ''))
        expect(module?.name, explain(entry, place)).toBe(place.module.name)
        if (parameter !== '') expect(module?.parameters.has(parameter), explain(entry, place)).toBe(true)
        if (value !== undefined) expect(module?.parameters.get(parameter)?.values?.has(value)).toBe(true)
      }
    }
  })
})
