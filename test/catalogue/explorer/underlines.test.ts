import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findingAt, spanOf, underline } from '../../../catalogue/explorer/client/query/underlines.ts'
import type { Finding } from '../../../catalogue/report.ts'
import { severities } from '../../../catalogue/validate/rules.ts'
import { findingOf, validate } from '../../support/catalogue/validate.ts'
import { seed } from '../../support/property.ts'

type FindingAt = Pick<Finding, 'rule' | 'severity'> & { at: [number, number] }

const finding = ({ rule, severity, at }: FindingAt): Finding => ({
  rule,
  severity,
  basis: 'own',
  name: 'a',
  span: { name: at, value: [at[1], at[1]] },
  message: '',
  suggestions: [],
})

const error = (...at: [number, number]) => finding({ rule: 'unknown-parameter', severity: 'error', at })
const warning = (...at: [number, number]) => finding({ rule: 'unknown-parameter', severity: 'warning', at })
/** Marked `e:` for an error, `w:` for a warning. */
const underlined = (text: string, findings: Finding[]) =>
  underline(text, findings).map(({ text, severity }) => (severity ? `${severity[0]}:${text}` : text))

describe('a text is underlined', () => {
  test('nowhere without findings', () => {
    expect(underlined('abc', [])).toEqual(['abc'])
    expect(underlined('', [])).toEqual([])
  })

  test('from where a finding begins to where it ends', () => {
    expect(underlined('abcdef', [error(1, 3)])).toEqual(['a', 'e:bc', 'def'])
    expect(underlined('abcdef', [error(0, 2), warning(4, 6)])).toEqual(['e:ab', 'cd', 'w:ef'])
  })

  test('as the more severe one, where one finding lies within another', () => {
    expect(underlined('abcdef', [warning(0, 6), error(2, 4)])).toEqual(['w:ab', 'e:cd', 'w:ef'])
    expect(underlined('abcdef', [error(0, 6), warning(2, 4)])).toEqual(['e:ab', 'e:cd', 'e:ef'])
  })

  test('as the more severe one, where two findings overlap', () => {
    expect(underlined('abcdef', [warning(0, 4), error(2, 6)])).toEqual(['w:ab', 'e:cd', 'e:ef'])
  })

  test('once, where two findings are about the same', () => {
    expect(underlined('abcdef', [error(1, 3), error(1, 3)])).toEqual(['a', 'e:bc', 'def'])
  })

  test('in stretches that join to the text, for any spans', () => {
    const some = fc.tuple(fc.constantFrom(...severities), fc.nat(12), fc.nat(12))
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), fc.array(some), (text, spans) => {
        const findings = spans.map(([severity, a, b]) =>
          finding({ rule: 'unknown-parameter', severity, at: [Math.min(a, b), Math.max(a, b)] }),
        )
        const stretches = underline(text, findings).map(({ text }) => text)
        expect(stretches.join('')).toBe(text)
      }),
      { seed },
    )
  })

  test('without cutting a character in two', () => {
    const text = 'list=allpages&aplmit=\u{1f600}&\u{1f600}=1&apprefix=\u{1f600}|\u{1f601}&apdir=\u{1f602}'
    for (const stretch of underline(text, validate(text).findings)) expect(stretch.text.isWellFormed()).toBe(true)
    expect(underlined(text, validate(text).findings)).toContain('e:\u{1f602}')
  })
})

describe('what is underlined of a finding', () => {
  const about = (text: string, rule: string) => {
    const span = spanOf(findingOf(text, rule))
    return span && text.slice(...span)
  }

  test.each([
    ['the name that is wrong', 'list=allpages&aplmit=5', 'unknown-parameter', 'aplmit'],
    ['the value that is wrong', 'list=allpages&apdir=up', 'bad-value', 'up'],
    ['the one wrong value of several', 'list=search&srsearch=a&srprop=size|nosuch', 'unrecognized-value', 'nosuch'],
    ['a pair that does not go with others', 'prop=revisions&titles=A|B&rvlimit=1', 'condition', 'rvlimit=1'],
    ['a name whose value is empty', 'list=search&srsearch=', 'required-missing', 'srsearch'],
    ['a pair without a value where the value is wrong', 'list=allpages&aplimit=', 'bad-integer', 'aplimit='],
    ['nothing of what is absent', 'list=search', 'required-missing', undefined],
  ])('is %s', (_, text, rule, stretch) => {
    expect(about(text, rule)).toBe(stretch)
  })
})

describe('the finding at the caret', () => {
  const [wide, narrow] = [warning(0, 6), error(2, 4)]

  test.each([
    ['between two letters of it', 3, narrow],
    ['before its first letter', 2, narrow],
    ['after its last letter', 4, narrow],
    ['the wider one, before the narrow one', 1, wide],
    ['the wider one, outside the narrow one', 5, wide],
    ['none elsewhere', 8, undefined],
  ])('is %s', (_, caret, expected) => {
    expect(findingAt(caret, [wide, narrow])).toBe(expected)
  })
})
