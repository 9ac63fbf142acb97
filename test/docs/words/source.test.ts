import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readWords } from '../../../docs/write/words/source.ts'
import { wordsFolder } from '../../../docs/write/words/translation.ts'
import { en } from '../../../shared/words/en.ts'
import { languages } from '../../../shared/words/languages.ts'
import { textsOf } from '../../shared/words/laws.ts'

/** A words file from which each case below differs in one thing. */
const right = `import { en } from './en.ts'
import type { Words } from './words.ts'

/** Words. */
export const de = {
  name: 'Deutsch', // in itself
  read: null,
  glossary: { 'log in': "anmelden", 'recovery code': en.glossary['recovery code'] },
  mails: en.mails,
  pages: {
    /** The first. */
    home: { title: 'Konto', it: 'Ada\\'s \\\\ \\u00ad', about: en.pages.home.about },
  },
} satisfies Words
`

test('a file of words is read without running it', () => {
  expect(Object.fromEntries(readWords(right))).toEqual({
    name: 'Deutsch',
    'glossary.log in': 'anmelden',
    'glossary.recovery code': null,
    mails: null,
    'pages.home.title': 'Konto',
    'pages.home.it': "Ada's \\ \u00ad",
    'pages.home.about': null,
  })
})

const neither = 'line 12: neither a string nor en.<text>'
const foreign = expect.stringContaining('more than the imports')
const unseen = expect.stringContaining('line 6: an invisible character')
test.each([
  ['a call', "'Konto'", "String('Konto')", neither],
  ['a sum', "'Konto'", "'Kon' + 'to'", neither],
  ['a template', "'Konto'", '`Konto`', neither],
  ['a number', "'Konto'", '8', neither],
  ['an array', "'Konto'", "['Konto']", neither],
  ['a function', "'Konto'", "() => 'Konto'", neither],
  ['a getter', "title: 'Konto'", "get title() { return 'Konto' }", neither],
  ['a computed name', 'title:', "['title']:", neither],
  ['a spread', "title: 'Konto'", '...en.pages.home', neither],
  ['a name of the surroundings', "'Konto'", 'process.env.HOME', neither],
  ['a call of what is borrowed', 'en.pages.home.about', 'en.pages.home.about()', neither],
  ['a choice', "'Konto'", "en.a || 'Konto'", neither],
  ['an escape that is none', 'Konto', '\\x41', neither],
  ['a string without its end', "'Konto'", "'Konto", neither],
  [
    'another text',
    'en.pages.home.about',
    'en.pages.home.title',
    'pages.home.about borrows another text, en.pages.home.title',
  ],
  ['no text', "'Konto'", 'null', 'pages.home.title is null'],
  ['two values', "'Konto'", "'Konto' 'Konto'", expect.stringContaining('JSON')],
  ['another import', "'./en.ts'", "'./evil.ts'", foreign],
  ['an import for its effect', "import { en } from './en.ts'", "import './en.ts'", foreign],
  ['a statement before', 'export const', 'evil()\nexport const', foreign],
  ['a statement after', 'satisfies Words', 'satisfies Words\nevil()', foreign],
  ['a second object', 'satisfies Words', 'satisfies Words\nexport const b = {} as const', expect.any(String)],
  ['text that is turned around in a comment', 'in itself', '\u202e', unseen],
  ['a comment that ends within its line', 'in itself', '\u2028evil()', unseen],
  ['an unseen break', 'Deutsch', 'Deu\u00adtsch', unseen],
])('%s is no file of words', (_, from, to, said) => {
  expect(right).toContain(from)
  const read = () => readWords(right.replace(from, () => to))
  const message = (() => {
    try {
      return JSON.stringify([...read()])
    } catch (error) {
      return (error as Error).message
    }
  })()
  expect(message).toEqual(said)
})

describe.each(Object.entries(languages))('shared/words/%s.ts', (tag, words) => {
  const source = readWords(readFileSync(join(wordsFolder, `${tag}.ts`), 'utf8'))

  test('holds string literals, and texts that it borrows from English', () => {
    const texts = textsOf(words)
    for (const [name, text] of source) if (text !== null) expect(texts.get(name)).toBe(text)
    for (const name of textsOf(en).keys()) {
      const places = name.split('.').map((_, i, names) => names.slice(0, i + 1).join('.'))
      expect([name, places.some(place => source.has(place)) || name.startsWith('read.')]).toEqual([name, true])
    }
    if (tag === 'en') expect([...source.values()]).not.toContain(null)
  })
})
