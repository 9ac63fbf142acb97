// The shown findings while somebody types a query, letter by letter.
import { describe, expect, test } from 'vitest'
import { judge } from '../../../catalogue/explorer/client/query/judged.ts'
import type { KnownParameter, Target } from '../../../catalogue/validate/knowledge.ts'
import { knowledge, validate } from '../../support/catalogue/validate.ts'

/** The shown findings after a text was typed, with or without a pause. */
const shown = (text: string, hasPaused = true) =>
  judge(
    { text, limits: 'any', report: validate(text), caret: text.length },
    { text, caret: text.length, hasPaused },
    knowledge,
  )
const wrongIn = (text: string, hasPaused?: boolean) =>
  shown(text, hasPaused).findings.filter(({ severity, span }) => severity === 'error' && span)

const values: Record<KnownParameter['type'], string> = {
  str: 'Caf%C3%A9+%F0%9F%98%80',
  int: '12',
  bool: '1',
  ts: '2024-12-20T10:00:00Z',
  title: 'Category:Caf%C3%A9',
  ns: '14',
  user: 'Ada+Lovelace',
  limit: 'max',
  enum: '',
}

/** A valid query with a value for a parameter, which comes last. */
function queryWith({ module, role, wire, parameter }: Target): string {
  const value = values[parameter.type] || [...(parameter.values ?? [])].filter(Boolean).slice(-1).join()
  const several = parameter.multi ? `${value}%7C` : ''
  const required = module.required.filter(({ name }) => name !== parameter.name)
  const needs = required.map(
    ({ name, type }) => `&${role === 'generator' ? 'g' : ''}${module.prefix}${name}=${values[type]}`,
  )
  return `${role}=${module.name}${needs.join('')}&${wire}=${several}${value}`
}

/** One parameter of each kind, and for an enumeration each that there is. */
const kinds = new Map(
  [...knowledge.wires.values()]
    .filter(({ parameter }) => !parameter.deprecated && !parameter.conditions)
    .map(target => [`${target.parameter.type} ${target.parameter.multi} ${target.parameter.values?.size}`, target]),
)

describe('of a right query, whatever letter is the last,', () => {
  const queries = [...kinds.values()].map(queryWith).filter(query => wrongIn(query, true).length === 0)

  test('nothing in the pair at the caret is called wrong, during the pause either', () => {
    expect(queries.length).toBeGreaterThan(0.9 * kinds.size)
    for (const query of queries)
      for (let end = 1; end <= query.length; end++)
        expect(wrongIn(query.slice(0, end)).map(({ rule }) => `${rule} in ${query.slice(0, end)}`)).toEqual([])
  })

  test('its modules are not called wrong', () => {
    for (const { name, group } of knowledge.modules.values())
      for (let end = 1; end <= name.length; end++) expect(wrongIn(`${group}=${name.slice(0, end)}`)).toEqual([])
  })
})

describe('errors that no further letter fixes', () => {
  test.each([
    ['a name', 'list=allpages&aplmit', 'aplmit'],
    ['the beginning of a name of other modules', 'list=search&srsearch=x&aplim', 'aplim'],
    ['a name with its value', 'list=allpages&limit=', 'limit'],
    ['a number', 'list=allpages&aplimit=abc', 'aplimit'],
    ['one of the values', 'list=allpages&apdir=up', 'apdir'],
    ['a module', 'list=serch', 'list'],
    ['a date', 'list=recentchanges&rcstart=tomorrow', 'rcstart'],
    ['an escape', 'list=search&srsearch=%zz', 'srsearch'],
  ])('%s is called wrong after the pause, and not before', (_, text, name) => {
    expect(new Set(wrongIn(text).map(finding => finding.name))).toEqual(new Set([name]))
    expect(wrongIn(text, false)).toEqual([])
  })

  test('so are those of other pairs that it takes part in', () => {
    const rules = (text: string, hasPaused?: boolean) => shown(text, hasPaused).findings.map(({ rule }) => rule)
    const begun = 'list=tags&format=json&format'
    expect([rules(begun, false), rules(begun)]).toEqual([[], []])
    expect(rules(`${begun}=xml`, false)).toEqual([])
    expect(rules(`${begun}=xml`)).toEqual(['duplicate-name'])
    expect(rules(`${begun}version=2`, false)).toEqual([])
    expect(rules('list=tags&aplimit=5&prop=inf', false)).toEqual(['wrong-prefix'])
  })

  test('and what is absent is said after the pause', () => {
    expect(shown('list=search').findings.map(({ rule }) => rule)).toEqual(['required-missing'])
    expect(shown('list=search', false).findings).toEqual([])
  })

  test('nor what lies elsewhere, or where the caret has gone', () => {
    const text = 'list=allpages&aplim&apfrom=A'
    const report = validate(text)
    const writing = { text, caret: 19, hasPaused: true }
    const at = (caret: number) => judge({ text, limits: 'any', report, caret }, writing, knowledge).findings.length
    expect([at(19), at(text.length)]).toEqual([0, 1])
    expect(judge({ text, limits: 'any', report, caret: 19 }, null, knowledge)).toBe(report)
  })
})
