import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** The sections of CONTRIBUTING.md that say how something is added or changed: which files it takes, and what stands in them. */

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const sections = read('CONTRIBUTING.md')
  .split(/^## /m)
  .filter(text => /^(?:Add|Change) /.test(text))
  .map((text): [heading: string, text: string] => [text.split('\n')[0] ?? '', text.replaceAll(/\s+/g, ' ')])

const words = [
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
]

/** The files that a section says one edits. */
function byHand(text: string): { said: string; files: string[] } | null {
  const [, said = '', list = ''] = /By hand, ([\w-]+) files?[^:]*: ((?:`[^`]+`(?:, )?)+)\./.exec(text) ?? []
  return said === '' ? null : { said, files: [...list.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file) }
}

test('eight kinds of change say which files they take', () => {
  expect(sections.filter(([, text]) => byHand(text) !== null).map(([heading]) => heading)).toEqual([
    'Add an endpoint',
    'Add a setting',
    'Add a claim',
    'Add an alarm',
    'Add a mail with a page behind its link',
    'Change a word',
    'Add a language',
    'Add a check to the validator',
  ])
})

describe.each(sections)('%s', (_, text) => {
  const { said, files } = byHand(text) ?? { said: '', files: [] }

  test('counts the files that it lists, each of which the steps name or the reader does', () => {
    expect(words[files.length - 2] ?? '').toBe(said)
    expect(new Set(files).size).toBe(files.length)
  })

  test('counts what something else has in addition', () => {
    for (const [, more = '', list = ''] of text.matchAll(/([\w-]+) more \(((?:`[^`]+`(?:, )?)+)\)/g)) {
      const others = [...list.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
      expect(words[others.length - 2]).toBe(more)
      expect(others.filter(file => files.includes(file))).toEqual([])
    }
  })

  test('names files and folders that exist', () => {
    const paths = [...text.matchAll(/`([\w.-]+(?:\/[\w.<>-]+)+\/?)`/g)].map(([, path = '']) => path)
    const places = [...paths, ...files].map(path => (path.includes('<') ? dirname(path) : path))
    expect(places.filter(place => !existsSync(join(root, place)))).toEqual([])
  })

  test('names in them what stands there', () => {
    const named = [...text.matchAll(/`(\w+)` (?:in|of|\() ?`([\w./-]+\.ts)`/g)]
    const absent = named.filter(([, name, file = '']) => !new RegExp(`\\b${name}\\b`).test(read(file)))
    expect(absent.map(([words]) => words)).toEqual([])
  })
})
