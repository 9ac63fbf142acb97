import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addModule,
  removeModule,
  setValue,
  setValues,
} from '../../../../shared/catalogue/explorer/client/builder/changes.ts'
import { type Field, readCards, readChosen } from '../../../../shared/catalogue/explorer/client/builder/fields.ts'
import { addTyped } from '../../../../shared/catalogue/explorer/client/builder/typed.ts'
import type { Chosen, Role } from '../../../../shared/catalogue/validate/knowledge.ts'
import { editQuery } from '../../../../shared/catalogue/validate/text/edits.ts'
import { readPairs, readParts, textOf } from '../../../../shared/catalogue/validate/text/pairs.ts'
import { knowledge, validate } from '../../../support/catalogue/validate.ts'
import { seed } from '../../../support/property.ts'

const cardsOf = (text: string) => readCards(text, validate(text), knowledge)
const fieldOf = (text: string, name: string): Field => {
  const field = cardsOf(text)
    .flatMap(({ fields }) => fields)
    .find(field => field.name === name)
  if (!field) throw new Error(`${text} has no field ${name}`)
  return field
}
const chosenOf = (role: Role, name: string): Chosen => {
  const module = knowledge.modules.get(name)
  if (!module) throw new Error(`There is no ${name}`)
  return { module, role }
}
const put = (text: string, name: string, value: string | null) => editQuery(text, setValue(text, name, value))
const putAll = (text: string, name: string, values: string[]) => editQuery(text, setValues(text, name, values))
const add = (text: string, role: Role, name: string) =>
  editQuery(text, addModule(text, chosenOf(role, name), readChosen(validate(text), knowledge)))
const remove = (text: string, role: Role, name: string) => editQuery(text, removeModule(text, chosenOf(role, name)))

describe('a module', () => {
  test.each([
    ['', 'list', 'search', 'list=search'],
    ['list=search&srsearch=a', 'list', 'allpages', 'list=search%7Callpages&srsearch=a'],
    ['prop=', 'prop', 'info', 'prop=info'],
    ['prop=%1Finfo', 'prop', 'links', 'prop=info%7Clinks'],
    ['prop=info&titles=A', 'generator', 'links', 'prop=info&titles=A&generator=links'],
    ['generator=links&gplnamespace=0&gpllimit=5&titles=A', 'generator', 'images', 'generator=images&titles=A'],
    ['https://wiki.example/w/api.php', 'meta', 'tokens', 'https://wiki.example/w/api.php?meta=tokens'],
    [' list=search#x', 'list', 'users', ' list=search%7Cusers#x'],
  ] as const)('is added to %j as %s=%s: %j', (text, role, name, due) => {
    expect(add(text, role, name)).toBe(due)
  })

  test.each([
    ['list=search&srsearch=a&srlimit=5', 'list', 'search', ''],
    ['list=search|allpages&srsearch=a&aplimit=5', 'list', 'search', 'list=allpages&aplimit=5'],
    ['prop=allpages&aplimit=5&titles=A', 'list', 'allpages', 'titles=A'],
    ['Prop=info&titles=A', 'prop', 'info', 'titles=A'],
    ['generator=links&prop=links&gpllimit=5&pllimit=6', 'generator', 'links', 'prop=links&pllimit=6'],
    ['generator=links&prop=links&gpllimit=5&pllimit=6', 'prop', 'links', 'generator=links&gpllimit=5'],
    ['generator=links|images&gpllimit=5', 'generator', 'links', ''],
  ] as const)('is removed from %j as %s=%s, with its parameters: %j', (text, role, name, due) => {
    expect(remove(text, role, name)).toBe(due)
  })

  test('that is added and removed leaves the text as it was, whatever stands there', () => {
    const modules = [...knowledge.modules.values()]
    const chosen = fc.constantFrom(
      ...modules.flatMap(({ name, group, generator }) => [
        [group, name] as const,
        ...(generator ? [['generator', name] as const] : []),
      ]),
    )
    const texts = fc.constantFrom('', 'titles=A+B&x=%e4&&y', 'https://ada@wiki.example/w/api.php?titles=a#b', ' a=b ')
    fc.assert(
      fc.property(texts, chosen, (text, [role, name]) => {
        const added = add(text, role, name)
        expect(validate(added).modules).toContainEqual({ path: `query+${name}`, role })
        expect(readPairs(remove(added, role, name)).map(textOf)).toEqual(readPairs(text).map(textOf))
      }),
      { seed, numRuns: 300 },
    )
  })
})

describe('a value', () => {
  test.each([
    ['a=b', 'x', 'y z', 'a=b&x=y%20z'],
    ['x=1&a=b', 'x', '2', 'x=2&a=b'],
    ['x=1&a=b&x=2', 'x', '3', 'x=3&a=b'],
    ['x=1&a=b&x=2', 'x', null, 'a=b'],
    ['a=%e4+b', 'x', null, 'a=%e4+b'],
    ['x=%41&a=b', 'x', 'A', 'x=%41&a=b'],
    ['x&a=b', 'x', '1', 'x=1&a=b'],
    ['', 'x', '\ud800', 'x=%EF%BF%BD'],
  ])('of %j: %s becomes %j, and the text %j', (text, name, value, due) => {
    expect(put(text, name, value)).toBe(due)
  })

  test.each([
    ['titles=A', ['A', 'B'], 'titles=A%7CB'],
    ['titles=A', ['A|B'], 'titles=%1FA%7CB'],
    ['titles=%1FA|B%1FC', ['A|B'], 'titles=%1FA%7CB'],
    ['titles=%1FA|B%1FC', ['C'], 'titles=C'],
    ['titles=%1FA%1FB', ['A', 'B', 'C'], 'titles=A%7CB%7CC'],
    ['titles=A&prop=info', [], 'prop=info'],
  ])('of several in %j: %j are written as %j', (text, values, due) => {
    expect(putAll(text, 'titles', values)).toBe(due)
  })

  test('that is put into a field is in the field, and every other pair is byte for byte as it was', () => {
    const raw = fc.constantFrom(
      'a=b',
      'titles=A%7cB',
      'x=%zz',
      'y=+',
      'srsearch',
      '%73rlimit=5',
      'srlimit=6',
      'list=search',
    )
    const texts = fc.array(raw, { maxLength: 6 }).map(pairs => pairs.join('&'))
    const value = fc.oneof(
      fc.constantFrom('|', '\u001f', '&', '=', '#', '?', '%', "'"),
      fc.string({ unit: 'binary', maxLength: 5 }),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom('srsearch', 'srlimit', 'titles'), value, (text, name, value) => {
        const others = (query: string) =>
          readPairs(query)
            .filter(pair => pair.name !== name)
            .map(textOf)
        const edited = put(text, name, value)
        expect(
          readPairs(edited)
            .filter(pair => pair.name === name)
            .at(-1)?.value,
        ).toBe(value.toWellFormed())
        expect(others(edited)).toEqual(others(text))
      }),
      { seed, numRuns: 500 },
    )
  })

  test('of several comes back as it was given, whatever it holds but the separator of last resort', () => {
    const values = fc.array(
      fc.string({ minLength: 1, maxLength: 4 }).filter(value => !value.includes('\u001f')),
      { minLength: 1, maxLength: 5 },
    )
    fc.assert(
      fc.property(values, values => {
        const [pair] = readPairs(putAll('', 'titles', values))
        expect(pair && readParts(pair).map(({ text }) => text)).toEqual(values.map(value => value.toWellFormed()))
      }),
      { seed, numRuns: 300 },
    )
  })
})

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

  test('is taken as it is where it is free text: in the arguments of a message alone', () => {
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

  test('has a card for each module in its role, and one for pages where they are needed or given', () => {
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

  test('has every parameter of every module under its wire name, with a link to its place', () => {
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

  test('says at the card that all of several are missing, and holds each of them for needed', () => {
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

  test('says what holds between fields, and what there is to know of each, by their wire names', () => {
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
