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

test('the totals are those of the specification', () => {
  expect(buildCatalogue(source).counts).toEqual({
    modules: 62,
    modules_by_group: { list: 35, prop: 20, meta: 7 },
    generators: 36,
    generators_by_group: { list: 25, prop: 11, meta: 0 },
    readrights: 60,
    deprecated_modules: 1,
    parameters: 500,
    enumerations: 136,
    single_enumerations: 63,
    multi_enumerations: 73,
    enumerated_values: 1038,
    multi_valued_parameters: 113,
    deprecated_parameters: 35,
    required_parameters: 4,
    sensitive_parameters: 2,
    types: 9,
    sets: 12,
    set_values: { REVPROP: 16, CF: 10, GROUPS: 5, RIGHTS: 81, PROTOCOL: 28, DIR2: 2, DIRT: 2, USERSUB: 4 },
  })
})

describe('the build refuses', () => {
  test.each(slips)('%s', (_, slip, finding) => {
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
