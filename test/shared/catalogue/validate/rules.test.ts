import { describe, expect, test } from 'vitest'
import { type RuleName, rules } from '../../../../shared/catalogue/validate/rules.ts'
import { findingOf, mend, rulesOf, validate } from '../../../support/catalogue/validate.ts'
import { cases } from './cases.ts'

describe.each(Object.entries(cases))('%s', (rule, { broken, kept, limits }) => {
  const [severity, basis] = rules[rule as RuleName]

  test.each(broken)('finds %j, at %j', (query, name, value, mended) => {
    const finding = findingOf(query, rule, limits)
    expect(finding).toMatchObject({ rule, severity, basis, name })
    expect(finding.value).toBe(value?.slice(0, 200))
    expect(mend(query, rule, limits)).toBe(mended)
    if (mended !== null) expect(rulesOf(mended, limits)).not.toContain(rule)
  })

  test.each(kept)('does not find %j', query => {
    expect(rulesOf(query, limits)).not.toContain(rule)
  })
})

test('one finding stands for all duplicates of a value, of a name and of a module', () => {
  expect(rulesOf('list=tags&tglimit=1&tglimit=2&tglimit=3')).toEqual(['duplicate-name'])
  expect(rulesOf('list=recentchanges&rcprop=zzzzzzz|yyyyyyy|zzzzzzz|zzzzzzz')).toEqual([
    'unrecognized-value',
    'unrecognized-value',
    'duplicate-value',
  ])
  expect(rulesOf('list=tags|tags|tags')).toEqual(['module-repeated'])
})

test('what is taken for another name counts as that: its value is checked, and so is what needs it', () => {
  expect(rulesOf('list=search&search=a&limit=x')).toEqual(['missing-prefix', 'missing-prefix', 'bad-integer'])
  expect(rulesOf('generator=links&titles=A&pllimit=0')).toEqual(['generator-prefix-missing', 'limit-range'])
  expect(validate('list=categorymembers&CMTITLE=A').findings.map(({ rule }) => rule)).toEqual(['name-case'])
})

test('what is not taken is not checked: the right name is there too', () => {
  expect(rulesOf('list=tags&limit=x&tglimit=5')).toEqual(['missing-prefix'])
})

test('nothing else of a query that is none is checked', () => {
  expect(rulesOf('action=parse&x=%&x=1&list=nosuch')).toEqual(['not-a-query'])
})

test('a fix that leaves a part of the value away says so', () => {
  for (const query of ['list=allusers&augroup=sysop,rollbacker', 'list=tags&tgprop=name, hitcount']) {
    const fixes = findingOf(query, 'unrecognized-value').suggestions.filter(({ label }) => !label.includes('|'))
    expect(fixes.map(({ loses }) => loses)).toEqual([true, true])
  }
})

test('what stands in the address of a call is found there, before what is beside it', () => {
  const text = 'requests.get("https://wiki.example/w/api.php?prop=inof", params={"title": "A"})'
  const places = validate(text).findings.map(({ span }) => span && [span.name, span.value].map(at => text.slice(...at)))
  expect(places).toEqual([
    ['prop', 'inof'],
    ['"title"', '"A"'],
  ])
})
