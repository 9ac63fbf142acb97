import { describe, expect, test } from 'vitest'
import { addressOf, type Entry, explain } from '../../../../catalogue/explorer/client/search/entries.ts'
import { rank } from '../../../../catalogue/explorer/client/search/rank.ts'
import { listResults } from '../../../../catalogue/explorer/client/search/rows.ts'
import { knowledge } from '../../../support/catalogue/validate.ts'
import { entries, linesOf, search, sentences, some } from './searched.ts'

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
      listResults(rank('text', [some('value', 'text', ...places(count))]), new Set(), sentences).rows.map(
        ({ why }) => why,
      )
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

  test('of every entry, to a parameter and a value that its module has', () => {
    for (const entry of entries) {
      for (const place of entry.places) {
        const { pathname, hash } = new URL(addressOf(entry, place), 'https://explorer.example')
        if (!place.module) {
          expect(hash).toBe(place.extension ? '#not-described' : `#name-${entry.text}`)
          continue
        }
        const [parameter = '', value] = decodeURIComponent(hash.slice(1)).split('=')
        const module = knowledge.modules.get(pathname.replace('/catalogue/explore/query+', ''))
        expect(module?.name, explain(entry, place)).toBe(place.module.name)
        if (parameter !== '') expect(module?.parameters.has(parameter), explain(entry, place)).toBe(true)
        if (value !== undefined) expect(module?.parameters.get(parameter)?.values?.has(value)).toBe(true)
      }
    }
  })
})
