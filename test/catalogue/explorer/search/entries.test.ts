import { describe, expect, test } from 'vitest'
import type { Entry } from '../../../../catalogue/explorer/client/search/entries.ts'
import { knowledge } from '../../../support/catalogue/validate.ts'
import { entries, textsOf } from './searched.ts'

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
    // Each module except tokens has a prefix, and each of the 36 generators a second one.
    expect(places('prefix')).toBe(61 + 36)
  })

  test('is each text once, with all its places', () => {
    for (const kind of new Set(entries.map(({ kind }) => kind))) {
      const texts = of(kind).map(({ text }) => text)
      expect(texts).toEqual([...new Set(texts)])
    }
    expect(entries.find(({ kind, text }) => kind === 'parameter' && text === 'limit')?.places).toHaveLength(50)
  })

  test('holds no white space, which is taken out of what is typed', () => {
    expect(entries.filter(({ text }) => /\s/.test(text))).toEqual([])
    expect(textsOf('  All\tUsers ', entries)).toEqual(textsOf('allusers', entries))
  })
})
