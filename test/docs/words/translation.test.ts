import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { listOf, markTranslated, sheetOf, translationOf, wordsFolder } from '../../../docs/write/words/translation.ts'
import { languages } from '../../../shared/words/languages.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'words-'))
  writeEnglish('Log in')
  writeFileSync(
    join(folder, 'de.ts'),
    `export const de = {
  name: 'Deutsch', dir: 'ltr', read: null, address: 'Sie',
  glossary: { 'log in': 'anmelden' },
  mails: { links: en.mails.links, notices: { deleted: 'Ihr Konto wurde gelöscht.' } },
  pages: { title: 'An\\u00admelden', register: en.pages.register },
} satisfies Words
`,
  )
})

function writeEnglish(title: string): void {
  writeFileSync(
    join(folder, 'en.ts'),
    `export const en = {
  name: 'English', dir: 'ltr', read: { by: 'Ada', on: '2026-11-24' }, address: '',
  glossary: { 'log in': 'log in' },
  mails: { links: { hello: 'Hello,' }, notices: { deleted: 'Your account was deleted.' } },
  pages: { title: '${title}', register: 'Register' },
} as const
`,
  )
}

const states = () => Object.fromEntries(translationOf('de', folder).texts.map(({ name, state }) => [name, state]))

test('a text is older until somebody states that it is as the English one', () => {
  const borrowed = { 'mails.links.hello': 'borrowed', 'pages.register': 'borrowed' }
  expect(states()).toEqual({ ...borrowed, 'mails.notices.deleted': 'older', 'pages.title': 'older' })
  expect(markTranslated('de', folder)).toBe(2)
  expect(states()).toEqual({ ...borrowed, 'mails.notices.deleted': '', 'pages.title': '' })
  writeEnglish('Sign in')
  expect(states()).toEqual({ ...borrowed, 'mails.notices.deleted': '', 'pages.title': 'older' })
  expect(markTranslated('de', folder)).toBe(1)
  expect(states()).toEqual({ ...borrowed, 'mails.notices.deleted': '', 'pages.title': '' })
})

test('English is older than nothing', () => {
  expect(listOf(translationOf('en', folder))).toBe(
    'en (English): 4 texts, 0 borrowed, 0 older; read by Ada on 2026-11-24',
  )
})

test('the list names what is borrowed or older, with its English text', () => {
  markTranslated('de', folder)
  writeEnglish('Sign in')
  expect(
    listOf(translationOf('de', folder)),
  ).toBe(`de (Deutsch): 4 texts, 2 borrowed, 1 older; a draft, which nobody has read
  borrowed  mails.links.hello  Hello,
  older     pages.title  Sign in
  borrowed  pages.register  Register`)
})

test('the sheet has every text beside the English one, notices first', () => {
  markTranslated('de', folder)
  const [head, ...parts] = sheetOf(translationOf('de', folder)).split('\n## ')
  expect(head).toContain('Form of address: Sie.')
  expect(head).toContain('| log in | anmelden |')
  expect(parts.map(part => part.trimEnd().split('\n\n'))).toEqual(
    [
      ['Notices', '| Your account was deleted. | Ihr Konto wurde gelöscht. | mails.notices.deleted |'],
      ['Other mails', '| Hello, | Hello, | mails.links.hello (borrowed) |'],
      ['Pages', '| Log in | Anmelden | pages.title |\n| Register | Register | pages.register (borrowed) |'],
    ].map(([heading, rows]) => [heading, `| English | Deutsch | Text |\n|---|---|---|\n${rows}`]),
  )
})

describe('npm run words', () => {
  const words = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['docs/write/words/command.ts', ...args], {
      cwd: join(import.meta.dirname, '../../..'),
      env: { INIT_CWD: folder },
    })

  test('lists every language', async () => {
    const { stdout } = await words()
    for (const tag of Object.keys(languages)) expect(stdout).toContain(`${listOf(translationOf(tag))}\n`)
  })

  test('writes a sheet where it is called', async () => {
    const { stdout } = await words('--sheet', 'en')
    expect(stdout).toBe('words-en.md is written\n')
    expect(readFileSync(join(folder, 'words-en.md'), 'utf8')).toBe(sheetOf(translationOf('en')))
  })

  test('refuses a language that there is not, and names those there are', async () => {
    const stderr = `words: 'xx' is none of ${Object.keys(languages).join(', ')}\n`
    await expect(words('--sheet', 'xx')).rejects.toMatchObject({ code: 2, stderr })
    expect(existsSync(join(folder, 'words-xx.md'))).toBe(false)
  })

  test('takes no hashes of English, which is no translation', async () => {
    await expect(words('--translated', 'en')).rejects.toMatchObject({ code: 2 })
    expect(existsSync(join(wordsFolder, 'en.hashes.json'))).toBe(false)
  })
})
