import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyState, readFragment, toFragment } from '../../../../catalogue/explorer/client/session/state.ts'
import { limitChoices } from '../../../../catalogue/validate/finding.ts'
import { seed } from '../../../support/property.ts'
import { kept } from './kept.ts'

describe('a fragment', () => {
  test('is empty for an empty state, and then says nothing', () => {
    expect(toFragment(emptyState)).toBe('')
    expect(readFragment('')).toEqual(emptyState)
    expect(readFragment('#')).toEqual(emptyState)
  })

  test('holds the text, percent-encoded, and the choice of limits', () => {
    expect(toFragment({ text: 'prop=info&titles=A B', limits: 'high' })).toBe(
      '#q=prop%3Dinfo%26titles%3DA%20B&limits=high',
    )
    expect(toFragment({ text: '', limits: 'normal' })).toBe('#q=&limits=normal')
  })

  test.each(limitChoices)('with the limits %s is read as it was written', limits => {
    const state = { text: 'list=search&srsearch=100%&x=ä+b%20c', limits }
    expect(readFragment(toFragment(state))).toEqual(state)
  })

  test.each([
    ['a malformed percent sign', '#q=100%&limits=any', '100%'],
    ['bytes that are not UTF-8', '#q=%E4%zz', '\ufffd%zz'],
    ['unknown limits', '#q=a%3Db&limits=most', 'a=b'],
    ['a repeated field', '#q=a&q=b&limits=any&limits=high', 'a'],
    ['markup', '#q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E', '<img src=x onerror=alert(1)>'],
  ])('of %s is read all the same', (_, hash, text) => {
    expect(readFragment(hash)).toEqual({ text, limits: 'any' })
  })

  test.each([
    ['nothing that it knows', '#namespace=0'],
    ['megabytes', `#q=${'x'.repeat(5_000_000)}`],
    ['megabytes of escapes', `#q=${'%'.repeat(5_000_000)}`],
    ['a text that is longer than any query', `#q=${'x'.repeat(64 * 1024 + 1)}`],
  ])('of %s is read all the same, as an empty text', (_, hash) => {
    expect(readFragment(hash)).toEqual({ text: '', limits: 'any' })
  })

  test('holds a text of 64 KiB, and leaves out a longer one', () => {
    const longest = '門'.repeat(64 * 1024)
    expect(kept(longest)).toBe(longest)
    expect(toFragment({ text: `${longest}x`, limits: 'any' })).toBe('')
  })

  test('is read whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), hash => {
        expect(limitChoices).toContain(readFragment(hash).limits)
      }),
      { seed },
    )
  })

  test('is never written from half a character', () => {
    expect(kept('titles=\ud800')).toBe('titles=\ufffd')
  })
})
