import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** How long documents, their sentences and names of tests may be, and that terms are told before they are used. */

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
  'docs/integrate.md': 667,
  'docs/deploy.md': 1306,
  'docs/catalogue.md': 252,
  'docs/local.md': 246,
  // Each recipe names the step that comes before the import: without it logins by providers are lost.
  'docs/migrate.md': 427,
  // A program writes the hashes back: written wrongly, they keep people out.
  'docs/moving-out.md': 172,
  'docs/own-repository.md': 84,
  'docs/performance.md': 102,
  'docs/security-asvs.md': 281,
  'docs/security-inventory.md': 198,
  // A table of decisions for each subject.
  'docs/security.md': 304,
  // A line for each setting.
  'docs/settings.md': 115,
  'docs/verify.md': 410,
  'docs/versions.md': 29,
}

const documents = globSync('{README,CONTRIBUTING,docs/*}.md', { cwd: root }).sort()

test('each document has a number of lines', () => {
  expect(Object.keys(budget).sort()).toEqual(documents)
})

test.each(Object.entries(budget))('%s has at most %i lines', (file, most) => {
  expect(read(file).trimEnd().split('\n').length).toBeLessThanOrEqual(most)
})

test.each(documents)('%s has no row of a table apart from its head', file => {
  const paragraphs = read(file)
    .replaceAll(/^ *```.*?^ *```/gms, '')
    .split(/\n{2,}/)
  expect(paragraphs.filter(text => text.startsWith('|') && !/^.*\n\|[-:|]+$/m.test(text))).toEqual([])
})

/** A change that takes more is two, or its second half is for another document. */
test('the changelog’s newest section has at most 20 words for each change', () => {
  const lines = newest.split('\n').filter(line => /^(?:- | )/.test(line))
  const wordsOf = (line: string) =>
    line
      .slice(2)
      .replaceAll(/\]\([^)]*\)/g, ']')
      .split(' ').length
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter(line => line.startsWith(' ') || wordsOf(line) > 20)).toEqual([])
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

/** Of the changelog. */
const [, newest = ''] = read('CHANGELOG.md').split(/^## .*$/m)
/** Those of older releases stay as they were read. */
const [upgrade = 'SECURITY.md'] = /docs\/upgrade\/[\d.]+\.md/.exec(newest) ?? []
const others = [...new Set(['SECURITY.md', upgrade])]

test.each([...documents, ...others])('%s has no sentence over 45 words', file => {
  const long = sentencesOf(read(file)).filter(sentence => sentence.trim().split(' ').length > longest)
  expect(long).toEqual([])
})

/** The name of a test or of a case, which a function follows. */
const name = /(?:^|[([])\s*(['"`])((?:\\.|(?!\1).)+)\1,\s*(?:async )?(?:\([^()]*\)|\w+) =>/gm

test('a test says its rule in at most fifteen words', () => {
  const names = globSync('test/**/*.test.ts', { cwd: root }).flatMap(file => [...read(file).matchAll(name)])
  expect(names.length).toBeGreaterThan(4000)
  expect(names.map(([, , text = '']) => text).filter(text => text.split(/\s+/).length > 15)).toEqual([])
})

/**
 * Terms of the project: what tells each, and where. A document tells one, or links to where it is told, before it uses it.
 */
const glossary: Record<string, { term: RegExp; tells: RegExp; place: string }> = {
  'fresh login': {
    term: /\bfresh\b(?! checkout| browser)/,
    tells: /fresh\*{0,3} if/,
    place: 'verify.md#what-a-token-says',
  },
  'token version': {
    term: /\btoken versions?\b/,
    tells: /`ver` \| The account's token version/,
    place: 'verify.md#what-a-token-says',
  },
  'deletion mark': {
    term: /\bmarks? (?:of deletions|that deletions)|\bdeletion marks?\b/,
    tells: /Each deletion[^.]*leaves a \*deletion mark\*/,
    place: 'migrate.md#the-order-of-things',
  },
}

/** Names of tests may say what they like. */
const paragraphsOf = (text: string): string[] =>
  text
    .replaceAll(/(`test\/[^`]+`)(?:,? "[^"]+")+/g, '$1')
    .replaceAll(/^ *(```+).*?^ *\1$/gms, '\n\n')
    .split(/\n\s*\n|\n(?=\|)/)
    .map(part => part.replaceAll(/\s+/g, ' '))

describe.each(Object.entries(glossary))('the term "%s"', (_, { term, tells, place }) => {
  const [file = ''] = place.split('#')

  test('is told where the others link to', () => {
    expect(paragraphsOf(read(`docs/${file}`)).some(part => tells.test(part))).toBe(true)
  })

  test.each(documents)('is told in %s before it is used', document => {
    const first = paragraphsOf(read(document)).find(part => term.test(part))
    if (first !== undefined && !tells.test(first)) expect(first).toContain(place)
  })
})

/** Words for which the field has another one. */
const replaced = /\bvoid(?:s|ed)?\b|\badmits\b|\bremote address(?:es)?\b/

test.each([...documents, ...others])('%s says it by the words of the field', file => {
  expect(sentencesOf(read(file)).filter(sentence => replaced.test(sentence))).toEqual([])
})
