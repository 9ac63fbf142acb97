import { join } from 'node:path'
import { commonPasswordsFile } from '../../shared/accounts/passwords/common-passwords.ts'
import { needsOf, rows } from '../../shared/api/needs.ts'
import { documentFile } from '../../shared/api/openapi/served.ts'
import { functionNames } from '../../shared/api/route-keys.ts'
import { packFile } from '../../shared/catalogue/build/write-pack.ts'
import { greatest, quick } from '../../shared/prebuilt/encoding.ts'
import { asAscii } from '../../shared/prebuilt/markup.ts'
import { builtPages, pageFile } from '../../shared/prebuilt/whole-page.ts'
import { writeIfChanged } from '../../shared/prebuilt/write.ts'
import { writeCommonPasswords } from './common-passwords.ts'
import { writeCatalogue } from './explorer.ts'
import { type BundleOptions, bundleOf, bundling, mapOf, root, usualFolder, writeBundles } from './function-bundles.ts'
import { composePage } from './html-page.ts'
import { changesOf, type Part, writePart } from './parts.ts'

/** Those that may have to refuse a common password. */
const withCommonPasswords = functionNames.filter(name => needsOf(rows[name]).settings.includes('PASSWORD_BLOCKLIST'))

/**
 * Writes the bundles of all functions, and what some of them read beside theirs. What has not changed is left
 * alone: it may be running.
 *
 * @returns bytes by function name
 * @throws {CatalogueRefused} if the catalogue contradicts itself
 */
export async function bundle(options: BundleOptions = {}): Promise<Map<string, number>> {
  const { parts, stamps, sizes } = buildIn(options)
  await inFull(parts.map(part => writePart(part, stamps)))
  return sizes
}

/**
 * The same for the parts that were not made of the very sources, packages and Node that there are now. A deploy does not
 * rely on it.
 *
 * @param isQuick whether answers may be a tenth larger, in a third of the time
 */
export async function bundleWhatChanged(folder?: string, isQuick = false): Promise<void> {
  const { parts, stamps } = buildIn({ ...(folder !== undefined && { folder }) }, isQuick)
  const changes = parts.map(part => ({ part, changed: changesOf(part, stamps) }))
  const due = changes.filter(({ changed }) => changed === null || changed.length > 0)
  await inFull(due.map(({ part, changed }) => writePart(part, stamps, changed)))
}

/** Waits for all, and then throws what the first of those that failed has thrown. */
async function inFull(all: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/** The parts of a build, the folder of their stamps, and the bytes of each function once its bundle is written. */
function buildIn({ folder = usualFolder, maps = true }: BundleOptions, isQuick = false) {
  const effort = isQuick ? quick : greatest
  const at = (name: string, file: string) => join(bundleOf(name, folder), file)
  const files = bundling.entryPoints.map(({ out }) => `${out}.cjs`)
  const lists = withCommonPasswords.map(name => at(name, commonPasswordsFile))
  const pack = at('catalogue', packFile)
  const document = at('openapi', documentFile)
  const reference = at('pages', pageFile('reference'))
  const pages = builtPages.map(name => [name, at('pages', pageFile(name))] as const)
  const sizes = new Map<string, number>()
  const parts: Part[] = [
    {
      name: 'functions',
      sources: ['{functions,shared}/**/*'],
      outputs: [...lists, ...files.map(file => at('', file)), ...files.map(file => mapOf(file, folder))],
      write: async changed => {
        await Promise.all([writeBundles({ folder, maps, changed }, sizes), writeCommonPasswords(lists)])
      },
    },
    {
      name: 'catalogue',
      sources: ['explorer/**/*', 'shared/**/*.json'],
      builder: 'infra/build/explorer.ts',
      outputs: [pack],
      isQuick,
      write: () => writeCatalogue(pack, effort),
    },
    {
      name: 'openapi',
      sources: ['package.json', 'shared/**/*.json'],
      builder: 'infra/build/openapi.ts',
      outputs: [document],
      isQuick,
      // Loaded on demand: importers that only need the paths of bundles would load every schema.
      write: async () => (await import('./openapi.ts')).writeOpenapi(document, effort),
    },
    {
      name: 'reference',
      sources: ['{explorer,reference,shared/pages}/**/*', 'package.json', 'shared/**/*.json'],
      builder: 'infra/build/reference.ts',
      outputs: [reference],
      write: async () => (await import('./reference.ts')).writeReferencePage(reference),
    },
    {
      name: 'pages',
      sources: ['shared/{base,pages}/**/*'],
      outputs: pages.map(([, file]) => file),
      write: async () => {
        for (const [name, file] of pages) {
          const { html, ...sources } = await composePage(join(root, `shared/pages/${name}.html`))
          writeIfChanged(file, JSON.stringify({ html: asAscii(html), ...sources }))
        }
      },
    },
  ]
  return { parts, stamps: join(folder, 'stamps'), sizes }
}

if (import.meta.main) {
  for (const [name, bytes] of await bundle())
    console.log(`${name.padEnd(22)}${(bytes / 1024).toFixed(1).padStart(7)} KB`)
}
