import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** How long documents and their sentences may be, and that terms are told before they are used. */

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/**
 * The lines that each document may have. Whoever adds to one takes as much out of it, or raises its number with the
 * reason.
 */
const budget: Record<string, number> = {
  // People read it whole.
  'README.md': 120,
  // A page for each change: the rest is a comment at the place.
  'CONTRIBUTING.md': 140,
  'docs/integrate.md': 800,
  'docs/deploy.md': 1592,
  'docs/catalogue.md': 297,
  'docs/local.md': 267,
  'docs/migrate.md': 436,
  'docs/moving-out.md': 142,
  'docs/own-repository.md': 86,
  'docs/performance.md': 103,
  'docs/security-asvs.md': 324,
  'docs/security-inventory.md': 231,
  'docs/security.md': 297,
  'docs/settings.md': 119,
  'docs/verify.md': 561,
  'docs/versions.md': 30,
}

const documents = globSync('{README,CONTRIBUTING,docs/*}.md', { cwd: root }).sort()

test('each document has a number of lines', () => {
  expect(Object.keys(budget).sort()).toEqual(documents)
})

test.each(Object.entries(budget))('%s has at most %i lines', (file, most) => {
  expect(read(file).trimEnd().split('\n').length).toBeLessThanOrEqual(most)
})

/** What people read as sentences: neither code, nor tables, headings, pictures, or the lists that the code writes. */
const proseOf = (text: string): string =>
  text
    .replaceAll(/<!-- npm run docs writes this: (?!runbook-sections)(\S+) -->.*?<!-- end of \1 -->/gs, '\n\n')
    .replaceAll(/^ *(```+).*?^ *\1$/gms, '\n\n')
    .replaceAll(/^ *(?:\||#|!\[|<).*$/gm, '\n')

/** Sentences end at a full stop, question mark, exclamation mark or colon, and with a paragraph or a point of a list. */
const sentencesOf = (text: string): string[] =>
  proseOf(text)
    .split(/\n\s*\n|\n(?= *(?:[-*]|\d+\.) )/)
    .map(part =>
      part
        .replaceAll(/`[^`]+`/g, 'code')
        .replaceAll(/\]\([^)]*\)/g, ']')
        .replaceAll(/\s+/g, ' '),
    )
    .flatMap(part => part.split(/[.!?:][*)\]"”]*(?: |$)/))

/** More words are read twice. */
const longest = 45

test.each([...documents, 'SECURITY.md'])('%s has no sentence over 45 words', file => {
  const long = sentencesOf(read(file)).filter(sentence => sentence.trim().split(' ').length > longest)
  expect(long).toEqual([])
})
