import { expect, test } from 'vitest'
import { fillText, partsOf, withoutBreaks } from '../../../shared/words/fill.ts'

test('a text is words, gaps and links, in the order that its language has', () => {
  expect(partsOf('{name}, [log in as {email}].')).toEqual([
    { gap: 'name' },
    ', ',
    { link: ['log in as ', { gap: 'email' }] },
    '.',
  ])
  expect(partsOf('')).toEqual([])
})

test.each([
  ['each gap gets its value, as often as it stands there', '{b} {a} {b}', { a: '1', b: '2' }, '2 1 2'],
  [
    'a value that looks like a gap stays as it is',
    '{product} {email}',
    { product: '{email}', email: 'x' },
    '{email} x',
  ],
  ['a value that looks like a link stays as it is', 'Log in to {product}', { product: '[x]' }, 'Log in to [x]'],
  ['a value that looks like a pattern of replacements stays as it is', '{a}', { a: '$& $1' }, '$& $1'],
  ['a link gives its words', 'Try [to log in to {a}].', { a: '[{a}]' }, 'Try to log in to [{a}].'],
  ['a gap without a value is seen', 'To {a}', {}, 'To {a}'],
  ['brackets without a partner are letters', 'a } ] { b [', {}, 'a } ] { b ['],
])('%s', (_, text, values: Record<string, string>, filled) => expect(fillText(text, values)).toBe(filled))

test('a title has no places to break at', () => {
  expect(withoutBreaks('Wieder\u00adherstellungs\u00adcodes')).toBe('Wiederherstellungscodes')
})
