import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addModule,
  removeModule,
  setChoices,
  setValue,
  setValues,
} from '../../../../catalogue/explorer/client/builder/changes.ts'
import { readCards, readChosen } from '../../../../catalogue/explorer/client/builder/fields.ts'
import type { Chosen, Role } from '../../../../catalogue/validate/knowledge.ts'
import { editQuery } from '../../../../catalogue/validate/text/edits.ts'
import { readParts, textOf } from '../../../../catalogue/validate/text/pairs.ts'
import { readPairs } from '../../../../catalogue/validate/text/query.ts'
import { knowledge, rulesOf, validate } from '../../../support/catalogue/validate.ts'
import { seed } from '../../../support/property.ts'

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

  test('that is added and removed leaves any text unchanged', () => {
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

  test('that is put into a field is there, and every other pair unchanged', () => {
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

  test('of several comes back as given, whatever it holds but the separator of last resort', () => {
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

describe('the values of an enumeration', () => {
  const choose = (text: string, name: string, values: readonly string[], isOwn = true) => {
    const field = readCards(text, validate(text), knowledge).flatMap(
      ({ fields }) => fields.find(each => each.name === name) ?? [],
    )[0]
    if (!field) throw new Error(`${text} has no field ${name}`)
    return editQuery(text, setChoices(text, field, values, isOwn))
  }
  const fields = [...knowledge.modules.values()].flatMap(({ name, group }) => {
    const text = `${group}=${name}`
    const [card] = readCards(text, validate(text), knowledge).slice(-1)
    return (card?.fields ?? []).flatMap(field =>
      field.parameter.multi && field.parameter.type === 'enum' ? [{ text, field }] : [],
    )
  })

  test('are the default while none is given, and those that are given otherwise', () => {
    expect(fields.filter(({ field }) => field.defaults.length > 0).length).toBeGreaterThan(30)
    for (const { text, field } of fields) {
      expect(field.values, field.name).toEqual(
        String(field.parameter.default ?? '')
          .split('|')
          .filter(Boolean),
      )
      const value = [...(field.parameter.values ?? [])].find(Boolean) ?? ''
      const given = `${text}&${field.name}=${value}`
      const cards = readCards(given, validate(given), knowledge)
      expect(cards.flatMap(({ fields }) => fields).find(({ name }) => name === field.name)?.values).toEqual([value])
    }
  })

  test('are written where they differ from the default, and taken away where not', () => {
    for (const { text, field } of fields) {
      const { name, defaults } = field
      const more = [
        ...defaults,
        ...[...(field.parameter.values ?? [])].filter(value => value && !defaults.includes(value)).slice(0, 1),
      ]
      for (const values of [more, defaults.slice(1)].filter(values => values.length !== defaults.length)) {
        const changed = choose(text, name, values)
        expect(changed, name).toBe(`${text}&${name}=${values.join('%7C')}`)
        expect(rulesOf(changed), name).not.toContain('unrecognized-value')
        expect(choose(changed, name, defaults.toReversed())).toBe(text)
      }
    }
  })

  test('stay where somebody else wrote them, though they are the default', () => {
    const text = 'list=search&srsearch=a&srinfo=totalhits'
    const all = ['totalhits', 'suggestion', 'rewrittenquery']
    expect(choose(text, 'srinfo', all, false)).toBe(`list=search&srsearch=a&srinfo=${all.join('%7C')}`)
    expect(choose('prop=revisions&titles=A&rvslots=main', 'rvslots', [], false)).toBe('prop=revisions&titles=A')
  })
})
