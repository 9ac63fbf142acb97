import { describe, expect, test } from 'vitest'
import { type RuleName, rules } from '../../../catalogue/validate/rules.ts'
import { frame, plainText, readPairs } from '../../../catalogue/validate/text/query.ts'
import { findingOf, mend, rulesOf, validate } from '../../support/catalogue/validate.ts'
import { cases } from './cases.ts'
import { pasted } from './pasted.ts'

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

test('one finding stands for all duplicates of a value, name or module', () => {
  expect(rulesOf('list=tags&tglimit=1&tglimit=2&tglimit=3')).toEqual(['duplicate-name'])
  expect(rulesOf('list=recentchanges&rcprop=zzzzzzz|yyyyyyy|zzzzzzz|zzzzzzz')).toEqual([
    'unrecognized-value',
    'unrecognized-value',
    'duplicate-value',
  ])
  expect(rulesOf('list=tags|tags|tags')).toEqual(['module-repeated'])
})

test('what is taken for another name counts as that', () => {
  expect(rulesOf('list=search&search=a&limit=x')).toEqual(['missing-prefix', 'missing-prefix', 'bad-integer'])
  expect(rulesOf('generator=links&titles=A&pllimit=0')).toEqual(['generator-prefix-missing', 'limit-range'])
  expect(validate('list=categorymembers&CMTITLE=Category:A').findings.map(({ rule }) => rule)).toEqual(['name-case'])
})

test.each(['prop=revisions&titles=A&rvlist=search', 'list=allpages&apgenerator=search'])(
  'a name with the prefix of a chosen module chooses none: %s',
  text => {
    expect(rulesOf(text)).toEqual(['unknown-parameter'])
  },
)

test('of unknown names, the first fifty may be misspelt ones that choose modules', () => {
  const modulesAfter = (count: number) =>
    validate(`${Array.from({ length: count }, (_, i) => `zzz${i}=1&`).join('')}lists=tags`).modules.length
  expect([49, 50].map(modulesAfter)).toEqual([1, 0])
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
  const loses = (generator: string) =>
    findingOf(`generator=${generator}&gsrsearch=a`, 'unknown-module').suggestions[0]?.loses
  expect(['serach', 'serach|tags'].map(loses)).toEqual([undefined, true])
})

test.each(pasted)('%s asks %s', (text, query) => {
  expect(decodeURIComponent(plainText(text))).toBe(query)
  for (const { name, spans } of readPairs(text)) expect(text.slice(...spans.name)).toBe(name)
})

test('one fix mends a name and what joins its values', () => {
  const [first] = findingOf('list=backlinks&bltitle=A&blnamespaces=0,4', 'unknown-parameter').suggestions
  expect(first).toMatchObject({ label: 'Write blnamespace=0|4' })
})

test('of two parameters that do not work together either can go', () => {
  const { suggestions } = findingOf('list=alldeletedrevisions&adruser=Ada&adrfrom=B', 'condition')
  expect(suggestions.map(({ label }) => label)).toEqual(['Remove adrfrom', 'Remove adruser'])
})

test('the nearest modules are in the sentence', () => {
  const { message } = findingOf('list=user&users=Foo', 'unknown-module')
  expect(message).toBe('The catalogue has no module "user": write users, allusers or usercontribs.')
})

test('a generator’s name is said as its module takes it, or what makes it right', () => {
  const said = (query: string) => findingOf(query, 'generator-prefix-unused').message.split(': ')[1]
  expect(said('list=allpages&gaplimit=5')).toBe('write aplimit.')
  expect(said('list=tags&gaplimit=5')).toBe('write generator=allpages, or leave this out.')
})

test.each([
  ['requests.get(URL, params={**BASE, "list": "tags"})', ['BASE']],
  ['requests.get(URL, params=dict(BASE, list="tags"))', ['BASE']],
  ['requests.get(URL, params=BASE | {"list": "tags"})', ['BASE']],
  ['params.update({"list": "tags"})\nrequests.get(URL, params=params)', ['params']],
  ['params = BASE.copy()\nparams.update(MORE)\nparams.update(list="tags")', ['BASE', 'MORE']],
  ["$params = array_merge($base, ['list' => 'tags']);", ['$base']],
  ["$params = $base + ['list' => 'tags'];", ['$base']],
  ["api.get(Object.assign({}, base, { list: 'tags' }))", ['base']],
  ["$.getJSON(url, $.extend({}, base, { list: 'tags' }))", ['base']],
  ["HTTParty.get(url, query: BASE.merge(list: 'tags'))", ['BASE']],
  ["api.get(_.merge({}, base, { list: 'tags' }))", ['base']],
])('what a query takes from an object outside the text is said: %s', (text, names) => {
  const { modules, unchecked } = validate(text)
  expect(modules.map(({ path }) => path)).toEqual(['query+tags'])
  expect(unchecked).toEqual(names.map(name => ({ name, reason: 'The text does not show what it holds.' })))
})

test.each([
  ['api.get({ list: "tags", tglimit: limit })', 'tglimit'],
  ['f"https://wiki.example/w/api.php?list=tags&tglimit={limit}"', 'tglimit'],
  ["'https://wiki.example/w/api.php?list=tags&tglimit={}'.format(limit)", 'tglimit'],
  ["'https://wiki.example/w/api.php?list=tags&tglimit=%d' % limit", 'tglimit'],
  ['api.get({ list: "tags", tgprop: props.join("|") })', 'tgprop'],
  ['api.get({ list: "tags", tgprop })', 'tgprop'],
  ['api.get({ list: kind, srsearch: "cat" })', 'list'],
  ['api.get({ action: "query", prop, titles: "A", inprop: "url" })', 'prop'],
])('what an expression gives is not judged, nor what depends on it: %s', (text, name) => {
  const { findings, unchecked } = validate(text)
  expect(findings).toEqual([])
  expect(unchecked).toContainEqual({ name, reason: 'Its value is an expression of the program.' })
})

test.each([
  '{ action: "query", ...base, srsearch: "cat" }',
  '{ ...base, list: "search" }',
  '{ ...base, prop: "info" }',
])('what is absent may be in an object that is not in the text: %s', object => {
  expect(rulesOf(`api.get(${object})`)).toEqual([])
})

test('what stands in a call’s address is found first', () => {
  const text = 'requests.get("https://wiki.example/w/api.php?prop=inof", params={"title": "A"})'
  const places = validate(text).findings.map(({ span }) => span && [span.name, span.value].map(at => text.slice(...at)))
  expect(places).toEqual([
    ['prop', 'inof'],
    ['title', 'A'],
  ])
})

test('the parts of an encoded whole make up the text', () => {
  const { before, query, after } = frame('list%3Dtags%26tglimit%3D5')
  expect([before, query, after].join('')).toBe('list%3Dtags%26tglimit%3D5')
})

test('what is encoded as a whole is read up to the length of an address', () => {
  const encoded = (length: number) => 'list%3Dsearch%26srsearch%3D'.padEnd(length, 'a')
  expect(plainText(encoded(8000))).toBe(decodeURIComponent(encoded(8000)))
  expect(plainText(encoded(8001))).toBe(encoded(8001))
})
