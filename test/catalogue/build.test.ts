// The build refuses source files with contradictions, and says where and how.
import { describe, expect, test } from 'vitest'
import { buildCatalogue, CatalogueRefused } from '../../catalogue/build/build-catalogue.ts'
import { readSource, type Source } from '../../catalogue/build/source.ts'
import { inParameter, slips } from './slips.ts'

const source = readSource()

/** The findings of the build after a mistake in the source files. */
function findingsAfter(slip: (source: Source) => void): string[] {
  const changed = structuredClone(source)
  slip(changed)
  try {
    buildCatalogue(changed)
    return []
  } catch (error) {
    if (error instanceof CatalogueRefused) return error.findings
    throw error
  }
}

test('the source files as they are contradict nothing', () => {
  expect(findingsAfter(() => {})).toEqual([])
})

describe('the build refuses', () => {
  test.each(slips)('%s', (finding, slip) => {
    const findings = findingsAfter(slip)
    expect(findings).toContainEqual(typeof finding === 'string' ? finding : expect.stringMatching(finding))
  })

  test('all slips at once, each with its place', () => {
    const findings = findingsAfter(source => {
      inParameter('list/allusers', 'group', { values_set: 'GROUP' })(source)
      inParameter('list/search', 'offset', { default: '0' })(source)
    })
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^list\/allusers: group/),
        expect.stringMatching(/^list\/search: offset/),
      ]),
    )
  })
})
