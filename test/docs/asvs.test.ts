import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asvsRows, dueIds, levelOf, verdicts } from '../../docs/write/asvs.ts'

/** docs/security-asvs.md, compared with the ids and levels of OWASP ASVS 5.0.0 (`asvs-levels.json`) and with the files that it names. */

const pathOf = (file: string): string => join(import.meta.dirname, '../..', file)

/** The files that a row names, each with all that is quoted from it. */
const namedIn = (reason: string) =>
  [...reason.matchAll(/`([\w.][\w./-]*\.(?:ts|json|yml))`((?:,? "[^"]+")*)/g)].map(([, file = '', quoted = '']) => ({
    file,
    words: [...quoted.matchAll(/"([^"]+)"/g)].map(([, words = '']) => words),
  }))
const named = asvsRows.flatMap(({ ids, reason }) => namedIn(reason).map(each => ({ ids: ids.join(), ...each })))

test('the list has as many requirements of levels 1 and 2 as the standard', () => {
  expect(dueIds.filter(id => levelOf(id) === 1)).toHaveLength(70)
  expect(dueIds).toHaveLength(253)
})

test('each of them is in one row, with its level', () => {
  expect(asvsRows.flatMap(({ ids }) => ids).sort()).toEqual([...dueIds].sort())
  for (const { ids, levels } of asvsRows)
    expect({ ids, levels }).toEqual({ ids, levels: [...new Set(ids.map(levelOf))].sort().join(', ') })
})

test('a row has a verdict and its reason, and if it holds a place', () => {
  expect(asvsRows.filter(({ verdict, reason }) => !verdicts.includes(verdict) || reason === '')).toEqual([])
  const isShown = (reason: string) => namedIn(reason).length > 0 || /\]\([\w./#-]+\)/.test(reason)
  expect(asvsRows.filter(({ verdict, reason }) => verdict === 'holds' && !isShown(reason))).toEqual([])
})

test('the files that rows name have the words beside them', () => {
  expect(named.flatMap(({ words }) => words).length).toBeGreaterThan(200)
  const isThere = ({ file, words }: { file: string; words: string[] }) => {
    if (!existsSync(pathOf(file)) || (words.length === 0 && file.endsWith('.test.ts'))) return false
    const text = readFileSync(pathOf(file), 'utf8')
    return words.every(each => text.includes(each))
  }
  expect(named.filter(each => !isThere(each))).toEqual([])
})
