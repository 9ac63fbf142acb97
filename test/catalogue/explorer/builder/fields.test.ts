import { describe, expect, test } from 'vitest'
import { addTyped } from '../../../../catalogue/explorer/client/builder/changes.ts'
import { type Field, readCards } from '../../../../catalogue/explorer/client/builder/fields.ts'
import { knowledge, validate } from '../../../support/catalogue/validate.ts'

const cardsOf = (text: string) => readCards(text, validate(text), knowledge)
const fieldOf = (text: string, name: string): Field => {
  const field = cardsOf(text)
    .flatMap(({ fields }) => fields)
    .find(field => field.name === name)
  if (!field) throw new Error(`${text} has no field ${name}`)
  return field
}

describe('what is typed into a field of several values', () => {
  const typed = (wire: string, values: string[], text: string) => {
    const parameter = wire === 'titles' ? fieldOf('prop=info', wire).parameter : knowledge.wires.get(wire)?.parameter
    if (!parameter?.multi) throw new Error(`${wire} does not take several`)
    return addTyped(values, text, parameter)
  }

  test.each(['titles', 'ucuser', 'ucuserids', 'ucnamespace', 'pltitles', 'ususers'])(
    '%s is a value between each two bars, without the spaces around it',
    name => {
      expect(typed(name, [], 'A|B')).toEqual(['A', 'B'])
      expect(typed(name, ['A'], ' B C | D ||')).toEqual(['A', 'B C', 'D'])
      expect(typed(name, [], ' | ')).toEqual([])
      expect(typed(name, [], 'A|B\r\nC\n')).toEqual(['A', 'B', 'C'])
    },
  )

  test('is added once, and what stands there twice stays', () => {
    expect(typed('titles', ['A', 'B'], 'B')).toEqual(['A', 'B'])
    expect(typed('titles', ['A', 'A'], 'C|C|A')).toEqual(['A', 'A', 'C'])
  })

  test('is taken as it is where it is free text: in a message’s arguments alone', () => {
    expect(typed('amargs', ['A'], ' A|B')).toEqual(['A', ' A|B'])
    expect(typed('amargs', [], 'A\nA')).toEqual(['A', 'A'])
    const free = [...knowledge.wires.values()].filter(({ parameter }) => parameter.allows_duplicates)
    expect(free.map(({ wire }) => wire)).toEqual(['amargs'])
  })
})

describe('the form of a query', () => {
  test('has nothing where nothing is asked for', () => {
    expect(cardsOf('')).toEqual([])
    expect(cardsOf('action=edit&title=A')).toEqual([])
  })

  test('has a card for each module in its role, and one for pages', () => {
    const keysOf = (text: string) => cardsOf(text).map(({ key }) => key)
    expect(keysOf('list=search')).toEqual(['list search'])
    expect(keysOf('list=search&titles=A')).toEqual(['pages', 'list search'])
    expect(keysOf('generator=links&prop=links|info')).toEqual(['pages', 'generator links', 'prop links', 'prop info'])
    expect(keysOf('generator=allpages&prop=info')).toEqual(['generator allpages', 'prop info'])
    expect(keysOf('generator=allpages&prop=info&titles=A')).toEqual(['pages', 'generator allpages', 'prop info'])
  })

  test('offers a generator for the pages where none is chosen', () => {
    const rules = (text: string) => cardsOf(text)[0]?.rules.join() ?? ''
    expect(rules('prop=info')).toContain('or choose a generator')
    expect(rules('generator=links')).toContain('Give one of titles, pageids and revids: ')
    expect(rules('generator=allpages&titles=A')).toBe('')
  })

  test('has every module’s every parameter under its wire name, with a link there', () => {
    for (const { name, group, path, parameters } of knowledge.modules.values()) {
      const [card] = cardsOf(`${group}=${name}`).slice(-1)
      expect(card?.fields.map(({ parameter }) => parameter.name)).toEqual([...parameters.keys()])
      for (const field of card?.fields ?? []) {
        expect(knowledge.wires.get(field.name)?.module.path).toBe(path)
        expect(field.reference).toBe(`/catalogue/explore/${path}#${field.parameter.name}`)
      }
    }
  })

  test('shows the value that counts, and several as they are', () => {
    const text = 'list=allpages&aplimit=5&aplimit=6&titles=%1Fa|b%1Fc'
    expect(fieldOf(text, 'aplimit').value).toBe('6')
    expect(fieldOf(text, 'apfrom').value).toBeNull()
    expect(fieldOf(text, 'titles').values).toEqual(['a|b', 'c'])
  })

  test('says what is wrong at the field that it was meant for', () => {
    const rules = (text: string, name: string) => fieldOf(text, name).findings.map(({ rule }) => rule)
    expect(rules('list=search', 'srsearch')).toEqual(['required-missing'])
    expect(rules('list=search&srsearch=a&limit=5', 'srlimit')).toEqual(['missing-prefix'])
    expect(rules('generator=links&prop=info&titles=A&plnamespace=0', 'gplnamespace')).toEqual([
      'generator-prefix-missing',
    ])
    expect(rules('generator=links&prop=links&titles=A&pllimit=0', 'pllimit')).toEqual(['limit-range'])
    expect(rules('generator=links&prop=links&titles=A&pllimit=0', 'gpllimit')).toEqual([])
    expect(rules('prop=info', 'titles')).toEqual(['no-page-set'])
  })

  test('says at the card that all of several are missing, each of them needed', () => {
    const [card] = cardsOf('list=usercontribs')
    expect(card?.findings.map(({ rule }) => rule)).toEqual(['needs'])
    expect(card?.fields.flatMap(({ findings }) => findings)).toEqual([])
    expect(
      card?.fields
        .filter(({ isNeeded }) => isNeeded)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['ucuser', 'ucuserids', 'ucuserprefix'])
    expect(cardsOf('list=usercontribs&ucuser=A')[0]?.findings).toEqual([])
    const twice = cardsOf('generator=categorymembers&list=categorymembers&cmtitle=Category:A')
    expect(twice.map(({ key, findings }) => [key, findings.map(({ name }) => name)])).toEqual([
      ['generator categorymembers', ['gcmtitle']],
      ['list categorymembers', []],
    ])
  })

  test('says what holds between fields, and what each is about, by wire names', () => {
    const [card] = cardsOf('list=categorymembers')
    expect(card?.rules).toEqual(['Give exactly one of cmtitle and cmpageid.'])
    const hints = (text: string, name: string) => fieldOf(text, name).hints().join(' ')
    expect(hints('list=search', 'srlimit')).toBe('From 1, or max. At most 500, 5000 for callers with the high limit.')
    expect(hints('list=search', 'srnamespace')).toContain('* stands for all.')
    expect(hints('list=recentchanges', 'rcstart')).toContain('2001-01-15T14:56:00Z')
    expect(hints('list=watchlist', 'wltoken')).toContain('secret')
    expect(hints('list=alldeletedrevisions', 'adrstart')).toBe(
      'A timestamp, such as 2001-01-15T14:56:00Z. Use it only together with adruser.',
    )
    expect(hints('prop=revisions', 'rvprop')).toBe('Default: ids, timestamp, flags, comment, user.')
    expect(hints('list=allusers', 'aurights')).toContain('At most 50 values')
  })
})
