import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { examples } from '../../../catalogue/explorer/client/query/examples.tsx'
import {
  changedSpans,
  correct,
  mostChanges,
  startCorrection,
  summarize,
} from '../../../catalogue/explorer/client/session/correct.ts'
import { type Limits, limitChoices } from '../../../catalogue/validate/finding.ts'
import { noMistake } from '../../support/catalogue/mistakes.ts'
import { compact, findingOf, knowledge, rulesOf, validate } from '../../support/catalogue/validate.ts'
import { seed } from '../../support/property.ts'
import { corrected, offered, untouched } from '../validate/mistakes.ts'

const correctAll = (text: string, limits: Limits = 'any') => correct(startCorrection(text), limits, knowledge)

describe('the corrected query', () => {
  const code =
    'fetch("https://wiki.example/w/api.php?" + new URLSearchParams({ list: "search", srsearch: "a", limit: 5 }))'
  const meant = 'https://wiki.example/w/api.php?list=search&srsearch=a&srlimit=5'

  test.each([...corrected, [noMistake, noMistake], [code, meant]])('of %s is what was meant: %s', (text, meant) => {
    const { text: taken } = correctAll(text)
    expect(decodeURIComponent(taken)).toBe(meant)
    expect(validate(taken).counts.error).toBe(0)
  })

  test.each(offered)('of %s keeps what a fix would drop or guess, and %s offers first: %s', (text, rule, label) => {
    expect(correctAll(text).text).toBe(text)
    const [first] = findingOf(text, rule).suggestions
    expect(first).toMatchObject({ label })
    expect(first?.loses ?? first?.choice).toBe(true)
  })

  test.each(untouched)('of %s is the same, under %s: the catalogue does not know it', (text, rule) => {
    expect(correctAll(text).text).toBe(text)
    expect(findingOf(text, rule).suggestions).toEqual([])
    expect(rulesOf(text).filter(each => !rule.startsWith('extension') && each !== rule)).toEqual([])
    if (rule.startsWith('extension')) expect(validate(text).counts.error).toBe(0)
  })

  test('of 81 rights, where 50 are allowed, is the same', () => {
    const text = examples(compact).find(({ query }) => query.startsWith('list=allusers'))?.query ?? ''
    expect(text.split('|')).toHaveLength(81)
    expect(correctAll(text, 'normal')).toEqual({ text, changes: [], isDone: true })
    expect(validate(text, 'normal').findings.map(({ rule }) => rule)).toEqual(['too-many-values'])
  })

  test('says of each step which name it changed and how, errors first', () => {
    const { text, changes } = correctAll('list=search&srlimit=6000&srinfo=totalhits|totalhits&search=a')
    expect(changes).toEqual([
      { name: 'search', label: 'Write srsearch' },
      { name: 'srlimit', label: 'Write srlimit=5000' },
      { name: 'srinfo', label: 'Write srinfo=totalhits' },
    ])
    expect(text).toBe('list=search&srlimit=5000&srinfo=totalhits&srsearch=a')
  })

  test('keeps the address before it and the fragment after it', () => {
    expect(correctAll('https://wiki.example/w/api.php?list=search&srsearch=a&limit=5#top').text).toBe(
      'https://wiki.example/w/api.php?list=search&srsearch=a&srlimit=5#top',
    )
  })

  test('takes one step per call when the time is up, and ends the same', () => {
    const text = 'list=search&srsearch=a&limit=5&Srwhat=text&srprop=size|nosuch&action=query'
    let correction = startCorrection(text)
    let steps = 0
    while (!correction.isDone) {
      correction = correct(correction, 'any', knowledge, () => true)
      expect(correction.changes.length).toBeLessThanOrEqual(++steps)
    }
    expect(correction).toEqual(correctAll(text))
    expect(steps).toBeGreaterThan(2)
  })

  test('stops after as many changes as one list shows', () => {
    const text = `list=allpages&${Array.from({ length: 300 }, (_, at) => `x${at}y=%`).join('&')}`
    const { changes, isDone } = correctAll(text)
    expect(isDone).toBe(true)
    expect(changes).toHaveLength(mostChanges)
  })

  test('of any text ends, with no more errors and no harmless fix left', () => {
    const words = 'list prop generator search links srlimit pllimit limit titles x 5 max'.split(' ')
    const marks = ['=', '&', '|', '%7C', '%', '?', '#', '+', '\u001f', '\ud83d\ude00', '\ud800', ' ', '//']
    const pasted = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.constantFrom(...words, ...marks), { maxLength: 30 }).map(parts => parts.join('')),
      fc
        .array(
          fc.tuple(fc.constantFrom(...knowledge.wires.keys(), ...words), fc.constantFrom('', '5', 'a|a', '*', 'no')),
          { maxLength: 8 },
        )
        .map(pairs => pairs.map(pair => pair.join('=')).join('&')),
    )
    fc.assert(
      fc.property(pasted, fc.constantFrom(...limitChoices), (text, limits) => {
        const { text: corrected, isDone } = correctAll(text, limits)
        const after = validate(corrected, limits)
        expect(isDone).toBe(true)
        expect(after.counts.error).toBeLessThanOrEqual(validate(text, limits).counts.error)
        for (const { suggestions } of after.findings) {
          const [first] = suggestions
          if (first) expect(first.loses ?? first.choice).toBe(true)
        }
      }),
      { seed, numRuns: 300 },
    )
  })
})

test('code with a part that is not read is not corrected', () => {
  const text = 'q = {"list": "tags", "limit": 5}; set_up(q, "tgprop", "name")'
  expect(rulesOf(text)).toContain('unread-code')
  expect(correct(startCorrection(text), 'any', knowledge)).toEqual({ text, changes: [], isDone: true })
})

test('a summary of changes leaves out a value that a later change overwrote', () => {
  const change = (name: string, label: string) => ({ name, label })
  const first = change('srlimit', 'Write srlimit=5000')
  const last = change('srlimit', 'Write srlimit=max')
  const others = [change('srprop', 'Leave out a'), change('srprop', 'Leave out b'), change('limit', 'Write srlimit')]
  expect(summarize([first, ...others, last])).toEqual([...others, last])
})

describe('what is marked as changed', () => {
  const changed = (before: string, after: string) => changedSpans(before, after).map(span => after.slice(...span))

  test.each([
    ['a name, where its value stays', 'prop=info&limit=5', 'prop=info&inlimit=5', ['inlimit']],
    ['a value, where its name stays', 'prop=info&inprop=a', 'prop=info&inprop=url', ['url']],
    ['a name whose value is gone', 'a=1&b', 'a&b', ['a']],
    ['a pair that is new', 'list=search', 'list=search&srsearch=x', ['srsearch=x']],
    ['nothing of a pair that is gone', 'a=1&b=2', 'b=2', []],
    ['nothing where nothing changed', '//a.example/?a=1#b', '//a.example/?a=1#b', []],
  ])('is %s', (_, before, after, parts) => {
    expect(changed(before, after)).toEqual(parts)
  })
})
