import { globSync } from 'node:fs'
import { join, parse } from 'node:path'
import { letterWordsFile, letterWordsOf } from '../../accounts/mail/words.ts'
import { commonPasswordsFile, packPasswords } from '../../accounts/password/common-passwords.ts'
import { passwordLength } from '../../accounts/password/password.ts'
import { needsOf, rows } from '../../api/needs.ts'
import { documentFile } from '../../api/openapi/served.ts'
import { functionNames } from '../../api/route-keys.ts'
import { packFile } from '../../catalogue/build/write-pack.ts'
import { countCodePoints } from '../../shared/base/shapes.ts'
import { greatest, quick } from '../../shared/prebuilt/encoding.ts'
import { asAscii } from '../../shared/prebuilt/markup.ts'
import { pageFile, referenceFile } from '../../shared/prebuilt/whole-page.ts'
import { escapeNonAscii, writeIfChanged } from '../../shared/prebuilt/write.ts'
import { allLanguages } from '../../shared/words/pseudo.ts'
import { root } from './entries.ts'
import { writeCatalogue } from './explorer.ts'
import { bundleFiles, bundleOf, type OnBuilt, usualFolder, writeBundles } from './function-bundles.ts'
import { composePages } from './html-page.ts'
import { changesOf, type Part, writePart } from './parts.ts'

/** The functions that may have to refuse a common password. */
const withCommonPasswords = functionNames.filter(name => needsOf(rows[name]).settings.includes('PASSWORD_BLOCKLIST'))

/**
 * Writes the bundles of all functions, and the files that some read beside their bundle. Unchanged files are left alone: they
 * may be running.
 *
 * @returns bytes by function name
 * @throws {CatalogueRefused} if the catalogue contradicts itself
 */
export async function bundle(folder?: string): Promise<Map<string, number>> {
  const { parts, stamps, sizes } = buildIn(folder)
  await inFull(parts.map(part => writePart(part, stamps)))
  return sizes
}

/**
 * The same for the parts whose sources, packages or Node have changed since. A deploy does not rely on it.
 *
 * @param isQuick whether answers may be a tenth larger, in a third of the time
 * @param onBuilt hears how many functions are built, which takes a fifth longer
 */
export async function bundleWhatChanged(folder?: string, isQuick = false, onBuilt?: OnBuilt): Promise<void> {
  const { parts, stamps } = buildIn(folder, isQuick, onBuilt)
  const changes = parts.map(part => ({ part, changed: changesOf(part, stamps) }))
  const due = changes.filter(({ changed }) => changed === null || changed.length > 0)
  await inFull(due.map(({ part, changed }) => writePart(part, stamps, changed)))
}

/** Waits for all, then throws the first error. */
async function inFull(all: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/** The parts of a build, the folder of their stamps, and the bytes of each function once its bundle is written. */
function buildIn(folder = usualFolder, isQuick = false, onBuilt?: OnBuilt) {
  const effort = isQuick ? quick : greatest
  const at = (name: string, file: string) => join(bundleOf(name, folder), file)
  const files = bundleFiles.map(({ file }) => file)
  const lists = withCommonPasswords.map(name => at(name, commonPasswordsFile))
  const pack = at('catalogue', packFile)
  const document = at('openapi', documentFile)
  const reference = at('pages', referenceFile)
  const letters = Object.entries(allLanguages).map(
    ([tag, words]) => [at('on-mail-queued', letterWordsFile(tag)), letterWordsOf(tag, words)] as const,
  )
  const pages = globSync('*.html', { cwd: join(root, 'shared/pages') }).map(file => parse(file).name)
  const isNotFound = (name: string) => name === 'not-found'
  const pageAt = (name: string, tag: string) => at(isNotFound(name) ? name : 'pages', pageFile(name, tag))
  const sizes = new Map<string, number>()
  const parts: Part[] = [
    {
      name: 'functions',
      sources: ['{accounts,api,catalogue,functions,shared}/**/*'],
      outputs: [...lists, ...files.map(file => at('', file))],
      write: async changed => {
        const [passwords] = await Promise.all([
          packCommonPasswords(),
          writeBundles({ folder, changed, onBuilt }, sizes),
        ])
        for (const list of lists) writeIfChanged(list, passwords)
      },
    },
    {
      name: 'catalogue',
      sources: ['catalogue/explorer/**/*', '{catalogue,shared}/**/*.json'],
      builder: 'infra/build/explorer.ts',
      outputs: [pack],
      isQuick,
      write: () => writeCatalogue(pack, effort),
    },
    {
      name: 'letters',
      sources: ['shared/words/*', 'accounts/mail/words.ts'],
      outputs: letters.map(([file]) => file),
      write: async () => {
        for (const [file, words] of letters) writeIfChanged(file, escapeNonAscii(JSON.stringify(words)))
      },
    },
    {
      name: 'openapi',
      sources: ['package.json', '{catalogue,shared}/**/*.json'],
      builder: 'infra/build/openapi.ts',
      outputs: [document],
      isQuick,
      // Loaded on demand: importers that only need the paths of bundles would load every schema.
      write: async () => (await import('./openapi.ts')).writeOpenapi(document, effort),
    },
    {
      name: 'reference',
      sources: ['{catalogue/explorer,reference,shared/pages}/**/*', 'package.json', '{catalogue,shared}/**/*.json'],
      builder: 'infra/build/reference.ts',
      outputs: [reference],
      write: async () => (await import('./reference.ts')).writeReferencePage(reference),
    },
    {
      name: 'pages',
      sources: ['shared/{base,pages,words}/**/*', 'accounts/token/token.ts'],
      outputs: pages.flatMap(name => Object.keys(allLanguages).map(tag => pageAt(name, tag))),
      write: async () => {
        for (const name of pages) {
          for (const [tag, { html, ...sources }] of await composePages(join(root, `shared/pages/${name}.html`))) {
            const words = isNotFound(name) && { words: allLanguages[tag]?.pages.notFound }
            writeIfChanged(
              pageAt(name, tag),
              escapeNonAscii(JSON.stringify({ html: asAscii(html), ...sources, ...words })),
            )
          }
        }
      },
    },
  ]
  return { parts, stamps: join(folder, 'stamps'), sizes }
}

/**
 * The most common passwords that are long enough for an account: some 18,000 of the 49,000 leaked ones in zxcvbn's
 * dictionary. OWASP ASVS 6.2.4 requires 3,000.
 */
export async function packCommonPasswords(): Promise<string> {
  // Loaded on demand: it is a third of a megabyte, and some importers only need the paths of bundles.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const isLongEnough = (password: string) => countCodePoints(password) >= passwordLength.min
  const text = packPasswords(dictionary['passwords-common'].filter(isLongEnough))
  // Functions search it byte by byte, in lower case.
  if (!/^[\n\x20-\x7e]*$/.test(text)) throw new Error('The list of common passwords must be printable ASCII')
  return text
}

if (import.meta.main) {
  for (const [name, bytes] of await bundle())
    console.log(`${name.padEnd(22)}${(bytes / 1024).toFixed(1).padStart(7)} KB`)
}
