import { expect, test } from 'vitest'
import { fill, wrap } from '../../docs/write/markdown.ts'

const marked = (name: string, text: string) =>
  `<!-- npm run docs writes this: ${name} -->${text}<!-- end of ${name} -->`

test('each text stands between its markers, and what is around them stays', () => {
  const document = `a\n${marked('one', '\nold\n')}\nb\n${marked('two', '\n')}\nc`
  const written = new Set<string>()
  const filled = fill(document, { one: 'x $1', two: 'y', three: 'z' }, written)
  expect(filled).toBe(`a\n${marked('one', '\n\nx $1\n\n')}\nb\n${marked('two', '\n\ny\n\n')}\nc`)
  expect([...written]).toEqual(['one', 'two'])
  expect(fill(filled, { one: 'x $1', two: 'y' }, written)).toBe(filled)
})

test('in a Dockerfile the markers are comments of its own', () => {
  const document = 'FROM x\n# npm run docs writes this: one\n# end of one\n# other'
  expect(fill(document, { one: 'LABEL y' })).toBe(
    'FROM x\n# npm run docs writes this: one\n\nLABEL y\n\n# end of one\n# other',
  )
})

test.each([
  ['a name that nothing writes', marked('thre', '\n'), 'no thre'],
  ['a marker without its end', '<!-- npm run docs writes this: one -->\n', 'one has no partner'],
  ['an end without its marker', '<!-- end of one -->', 'one has no partner'],
  ['two names that differ', '<!-- npm run docs writes this: one -->\n<!-- end of two -->', 'one has no partner'],
])('%s is refused', (_, document, reason) => {
  expect(() => fill(document, { one: 'x', two: 'y' })).toThrow(reason)
})

test('a paragraph is wrapped below its beginning, and no line becomes another block', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')
  const [wide, rest] = [words(27), words(3)]
  expect(wrap('1. ', `${wide} ${rest}`)).toBe(`1. ${wide}\n   ${rest}`)
  expect(wrap('', `${wide} is | - 12. # ${rest}`)).toBe(`${wide} is | - 12. #\n${rest}`)
  expect(wrap('', ['a', '', `- ${wide} ${rest}`])).toBe(`a\n\n- ${wide}\n  ${rest}`)
})
