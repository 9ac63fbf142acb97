import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withoutBreaks } from '../../../shared/words/fill.ts'
import { table } from '../markdown.ts'
import { readWords } from './source.ts'

/** Where the files of words are. */
export const wordsFolder = join(import.meta.dirname, '../../../shared/words')

interface Translated {
  /** As `mails.verify.subject`. */
  name: string
  english: string
  text: string
  /** The file has `en.<text>`, or was translated from an English text that has changed since. */
  state: 'borrowed' | 'older' | ''
}

/** A file of words beside the English one. */
interface Translation {
  tag: string
  language: string
  /** Form of address. */
  address: string
  /** Who has read it, and when; null: nobody. */
  read: { by: string; on: string } | null
  dir: string
  glossary: Record<string, string>
  texts: readonly Translated[]
}

const hashOf = (english: string): string => createHash('sha256').update(english).digest('base64url').slice(0, 12)

/** Beside each file: of each of its texts the hash of the English one that it was translated from. */
const hashesFile = (tag: string, folder: string): string => join(folder, `${tag}.hashes.json`)

const sourceOf = (tag: string, folder: string) => readWords(readFileSync(join(folder, `${tag}.ts`), 'utf8'))

/** @throws {Error} when a file of words is not as it must be */
export function translationOf(tag: string, folder = wordsFolder): Translation {
  const english = sourceOf('en', folder)
  const words = sourceOf(tag, folder)
  const file = hashesFile(tag, folder)
  const hashes: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const under = (part: string): [string, string][] =>
    [...english].flatMap(([name, text]) => (name.startsWith(`${part}.`) ? [[name, text ?? '']] : []))
  const isBorrowed = (name: string): boolean =>
    name.split('.').some((_, i, names) => words.get(names.slice(0, i + 1).join('.')) === null)
  const texts = [...under('mails'), ...under('pages')].map(([name, original]): Translated => {
    const isOlder = tag !== 'en' && hashes[name] !== hashOf(original)
    const state = isBorrowed(name) ? 'borrowed' : isOlder ? 'older' : ''
    return { name, english: original, text: words.get(name) ?? original, state }
  })
  const [by, on] = [words.get('read.by'), words.get('read.on')]
  return {
    tag,
    language: words.get('name') ?? '',
    address: words.get('address') ?? '',
    read: by && on ? { by, on } : null,
    dir: words.get('dir') ?? '',
    glossary: Object.fromEntries(under('glossary').map(([name, word]) => [word, words.get(name) ?? word])),
    texts,
  }
}

/** States that each text is a translation of the English one as it is now. @returns how many were older */
export function markTranslated(tag: string, folder = wordsFolder): number {
  const { texts } = translationOf(tag, folder)
  const own = texts.filter(({ state }) => state !== 'borrowed')
  const hashes = Object.fromEntries(own.map(({ name, english }) => [name, hashOf(english)]))
  writeFileSync(hashesFile(tag, folder), `${JSON.stringify(hashes, null, 2)}\n`)
  return own.filter(({ state }) => state === 'older').length
}

/** What nobody has translated, or not since the English text changed: a line for the language, and one for each text. */
export function listOf({ tag, language, read, texts }: Translation): string {
  const count = (state: string): number => texts.filter(text => text.state === state).length
  const reader = read ? `read by ${read.by} on ${read.on}` : 'a draft, which nobody has read'
  const head = `${tag} (${language}): ${texts.length} texts, ${count('borrowed')} borrowed, ${count('older')} older; ${reader}`
  const open = texts.filter(({ state }) => state !== '')
  return [head, ...open.map(({ state, name, english }) => `  ${state.padEnd(9)} ${name}  ${english}`)].join('\n')
}

/** For a native reader: all texts, English beside them, notices first, since a wrong warning is a hole. */
export function sheetOf({ tag, language, address, glossary, texts }: Translation): string {
  const parts = {
    Notices: (name: string) => name.startsWith('mails.notices.'),
    'Other mails': (name: string) => name.startsWith('mails.') && !name.startsWith('mails.notices.'),
    Pages: (name: string) => name.startsWith('pages.'),
  }
  const sections = Object.entries(parts).flatMap(([heading, isIn]) => {
    const rows = texts
      .filter(({ name }) => isIn(name))
      .map(({ name, english, text, state }) => [
        english,
        withoutBreaks(text),
        state === '' ? name : `${name} (${state})`,
      ])
    return rows.length > 0 ? [`## ${heading}`, table(['English', language, 'Text'], rows)] : []
  })
  return [
    `# ${language} (\`${tag}\`)`,
    `Each line: does it say the same, as a native speaker would? \`{gap}\` is a value, \`[words]\` a link. Form of address: ${address || 'none'}.`,
    table(['English', language], Object.entries(glossary)),
    ...sections,
    '',
  ].join('\n\n')
}
