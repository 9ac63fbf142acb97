// Hostile input up to the size of a body: work and answer stay bounded. Work is counted, not timed; the inside of
// regular expressions is not counted.

import { type Profiler, Session } from 'node:inspector'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../../catalogue/report.ts'
import { knowledge, validate } from '../../support/catalogue/validate.ts'

// The amount of code that runs, counted by V8 in blocks: unlike time, independent of the machine's load.

const session = new Session()

function startCounting(): void {
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

function stopCounting(): void {
  session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
}

/** How many blocks of the catalogue's code run. The language's own functions are not counted. */
function countBlocks(run: () => void): number {
  takeCounts()
  run()
  return takeCounts()
}

/** Counts since the last call. */
function takeCounts(): number {
  let scripts: Profiler.ScriptCoverage[] = []
  session.post('Profiler.takePreciseCoverage', (_, taken) => {
    scripts = taken.result
  })
  return scripts
    .filter(({ url }) => url.includes('/catalogue/'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)
}

const size = 64 * 1024
const fill = (part: string | ((n: number) => string), separator = '&') => {
  const parts: string[] = []
  for (let length = 0, n = 0; ; n++) {
    const next = typeof part === 'string' ? part : part(n)
    length += next.length + separator.length
    if (length > size) return parts.join(separator)
    parts.push(next)
  }
}
const short = (n: number) => n.toString(36)
const inList = 'list=recentchanges&rcprop='
const cases = (n: number) => [...'categorymembers'].map((c, at) => ((n >> at) & 1 ? c.toUpperCase() : c)).join('')

/** Asks for every module. */
const everyModule = ['list', 'prop', 'meta']
  .map(group => {
    const names = [...knowledge.modules.values()].filter(module => module.group === group).map(({ name }) => name)
    return `${group}=${names.join('|')}`
  })
  .join('&')
const wires = [...knowledge.wires.keys()]
const mistyped = (count: number) => wires.slice(0, count).map(wire => `${wire}x`)

const hostile: [what: string, query: string][] = [
  ['ampersands', '&'.repeat(size)],
  ['bars', '|'.repeat(size)],
  ['percent signs', '%'.repeat(size)],
  ['equals signs', '='.repeat(size)],
  ['pluses', '+'.repeat(size)],
  ['question marks', '?'.repeat(size)],
  ['NUL', '\0'.repeat(size)],
  ['lone surrogates', '\ud800'.repeat(size)],
  ['lone surrogates, each a pair', fill('\udfff')],
  ['unit separators', `list=${'\u001f'.repeat(size)}`],
  ['one name, over and over', fill('a')],
  ['a right name, over and over', `list=tags&${fill('tglimit=x')}`],
  ['16,700 names', `list=tags&${fill(short)}`],
  ['names near to right ones', `list=tags&${fill(n => `tglim${short(n)}`)}`],
  ['names nobody knows, of all modules', `${everyModule}&${fill(short)}`],
  ['names in all letters', `list=categorymembers&${fill(n => `${cases(n)}=1`)}`],
  ['malformed pairs', fill(n => `%${short(n)}`)],
  ['bytes that are not UTF-8', fill(n => `${short(n)}=%ff%fe%C3`)],
  ['values nobody knows', inList + fill(short, '|')],
  ['values nobody knows, escaped', inList + fill(short, '%7C')],
  ['one value, over and over', inList + fill('title', '|')],
  ['bad integers', `list=users&ususerids=${fill(n => `x${short(n)}`, '|')}`],
  ['modules nobody knows, of one kind', `prop=${fill(short, '|')}`],
  ['a module, over and over', `titles=A&prop=${fill('info', '|')}`],
  ['titles', `prop=revisions&rvlimit=1&titles=${fill(short, '|')}`],
  [
    'modules nobody knows, of all four kinds',
    ['list', 'prop', 'meta', 'generator'].map(name => `${name}=${fill(short, '|').slice(0, size / 4)}`).join('&'),
  ],
  ['one long name', 'x'.repeat(size)],
  ['one long value', `list=search&srsearch=${'x'.repeat(size)}`],
  ['one long bad value', `list=allpages&apdir=${'ä'.repeat(size)}`],
  ['many long bad values', `${inList}${fill(n => short(n).padEnd(300, '\u0001'), '|')}`],
  ['a long number', `list=tags&tglimit=${'9'.repeat(size)}`],
  ['a long address', `list=recentchanges&rcuser=${':'.repeat(size)}`],
  ['deep interwiki', `list=recentchanges&rcuser=${'>'.repeat(size)}`],
  ['a long timestamp', `list=recentchanges&rcstart=2026-01-31T12:00:00.${'1'.repeat(size)}x`],
  ['spaces', ' '.repeat(size)],
  ['spaces in a value', `list=a${' '.repeat(size)}b=`],
  ['pairs that ; joins', `list=a;${fill('b=c', ';')}`],
  ['lines in a value', `list=search&srsearch=${'\n'.repeat(size)}x`],
  ['pairs on lines', `list=a\n${fill('b=c', '\n')}`],
  ['a fragment of pairs', `list=a#${fill(n => `&${short(n)}=c`)}`],
  ['escapes of escapes', `list%253D${'%2525'.repeat(size)}`],
  ['a scheme and nothing', `https://${'a'.repeat(size)}`],
]

const ofCode = (part: string) => part.repeat(Math.ceil(size / part.length)).slice(0, size - 20)

describe('code is read with bounded work, of', () => {
  test.each([
    ['brackets', `x = ${ofCode('[')}`],
    ['calls in calls', ofCode('f(')],
    ['objects in objects', ofCode('{"a":')],
    ['empty brackets', `f${ofCode('[]')}`],
    ['texts side by side', `{${ofCode('"a"')}`],
    ['sums of texts', `x = "a"${ofCode('+"a"')}`],
    ['escaped quotes', `{${ofCode('\\"')}`],
    ['quotes alone', ofCode('"')],
    ['hashes', `x = "${ofCode('#')}`],
    ['quotes of two kinds', `{${ofCode(`"'`)}`],
    ['comments that do not end', `{${ofCode('/*')}`],
    ['pairs', `x = [${ofCode('("a","b"),')}`],
    ['calls of methods', ofCode('a.set("b","c");')],
    ['assignments', ofCode('a = b\n')],
    ['assignments of assignments', `x = {${ofCode('a = b = ')}`],
    ['options', `curl ${ofCode('-d \'a\'"b" ')}`],
    ['escapes in a command', `curl -d "${ofCode('\\"&')}"`],
    ['words with carets', `curl ${ofCode('^"')}`],
    ['values in a literal', `f"https://wiki.example/api.php?list=a${ofCode('&a={b}')}"`],
    ['values in values', `\`${ofCode('${`')}`],
    ['values that do not end', `"?list=a${ofCode('#{"')}`],
    ['signs of formats', `"?list=%s${ofCode('%%')}"`],
    ['doubled quotes', `'?list=${ofCode("''")}'`],
    ['raw literals that do not end', ofCode('r#"')],
    ['long brackets', ofCode('[[a ')],
    ['triple quotes', ofCode('f"""')],
    ['calls that append', `x${ofCode('.append("&a=").append(b)')}`],
    ['texts in a stream', `o << "?list="${ofCode(' << a << "&b="')}`],
    ['arguments that a call joins', `concat("?list=a"${ofCode(', "&b=", c')})`],
    ['names and values in turn', `x(${ofCode('"list", "a", ')})`],
    ['addresses', ofCode('https://a ')],
    ['full stops in an address', `see https://a?list=${ofCode('.')}b`],
    ['pairs on lines below an address', `see https://a?list=${ofCode('\n# &a=b')}`],
    ['addresses that a line continues', ofCode('see https://a/?b=&\n# c=d ')],
    ['blanks below an address', `see https://a?list=b\n${ofCode(' ')}`],
    ['quoted addresses', ofCode('"https://a ')],
    ['names that are not read', `fetch("?list=search",${ofCode(' srlimit=')}`],
  ])('%s', (_, text) => {
    expect(countBlocks(() => validate(text))).toBeLessThan(mostBlocksOfCode)
  })

  test('and is read whole up to a body of the check', () => {
    const rules = (text: string) => validate(text).findings.map(({ rule }) => rule)
    const call = (value: string) => `fetch("https://wiki.example/w/api.php?list=tags&tgcontinue=${value}")`
    expect(rules(call('b'.repeat(64 * 1024 - call('').length)))).toEqual([])
    expect(rules(`x = {"list": "tags", ${'"a": "b", '.repeat(5000)}}`)).toEqual(['unread-code'])
  })
})

/** Bytes: a sixth of what Lambda can answer. */
const largest = 1_000_000

/** Maximum blocks of code to run for a query: twice the costliest case. */
const mostBlocks = 6_000_000

/** The costliest, assignments of assignments, takes 0.9 million. */
const mostBlocksOfCode = 2_000_000

beforeAll(startCounting)
afterAll(stopCounting)

/** The report on 64 KiB of a case, and its work, shared by two tests because counting is slow. */
const whole = new Map<string, { blocks: number; report: Report }>()
function ofWhole(query: string) {
  const known = whole.get(query)
  if (known) return known
  let report: Report | undefined
  const blocks = countBlocks(() => {
    report = validate(query.slice(0, size))
  })
  const counted = { blocks, report: report as Report }
  whole.set(query, counted)
  return counted
}

test.each(hostile)('of 64 KiB of %s there is an answer of bounded size and work', (_, query) => {
  const { blocks, report } = ofWhole(query)
  expect(blocks).toBeLessThan(mostBlocks)
  const { findings, counts, truncated = false } = report
  const all = counts.error + counts.warning + counts.notice
  expect(findings).toHaveLength(Math.min(all, 200))
  expect(truncated).toBe(all > 200)
  expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThan(largest)
  for (const { suggestions } of findings) {
    for (const suggestion of suggestions) expect(JSON.stringify(suggestion).length).toBeLessThanOrEqual(4000)
  }
})

/** The costliest, 80 mistyped names, takes 3.1 million: suggestions cost the same however short the query is. */
const mostBlocksOfShort = 4_000_000

test.each([
  ['80 mistyped names', mistyped(80)],
  ['80 mistyped names with values', mistyped(80).map(name => `${name}=1`)],
  ['all names, mistyped', mistyped(wires.length)],
  [
    'all names without their prefixes',
    [...new Set([...knowledge.wires.values()].map(({ parameter }) => parameter.name))],
  ],
  ['all names', wires],
])('a short query has a bound too, of all modules and %s', (_, names) => {
  const query = `${everyModule}&${names.join('&')}`
  expect(query.length).toBeLessThan(12_000)
  expect(countBlocks(() => validate(query))).toBeLessThan(mostBlocksOfShort)
})

test('all is counted where not all is listed', () => {
  const report = validate(`list=tags&${fill(short)}`)
  expect(report).toMatchObject({ valid: false, truncated: true })
  expect(report.findings).toHaveLength(200)
  expect(report.counts.error).toBeGreaterThan(12_000)
})

describe('a query twice as long is at most about twice the work, of', () => {
  test.each(hostile)('%s', (_, query) => {
    const once = countBlocks(() => validate(query.slice(0, size / 2)))
    // Work independent of the query, its suggestions, and counts that V8 occasionally loses.
    const fixed = 2_000_000
    expect(ofWhole(query).blocks).toBeLessThan(2.5 * once + fixed)
  })
})
