import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { commonPasswordsFile } from '../../shared/accounts/passwords/common-passwords.ts'
import { needsOf, rows } from '../../shared/api/needs.ts'
import { documentFile } from '../../shared/api/openapi/served.ts'
import { functionNames } from '../../shared/api/route-keys.ts'
import { packFile } from '../../shared/catalogue/build/write-pack.ts'
import { asAscii } from '../../shared/prebuilt/markup.ts'
import { builtPages, pageFile } from '../../shared/prebuilt/whole-page.ts'
import { writeIfChanged } from '../../shared/prebuilt/write.ts'
import { writeCommonPasswords } from './common-passwords.ts'
import { writeCatalogue } from './explorer.ts'
import { composePage, htmlPages } from './html-page.ts'
import { externalizeLazyParts, lazyParts } from './lazy-parts.ts'
import { changesOf, type Part, writePart } from './parts.ts'
import { trimRoutes, trimSdk } from './trim.ts'

const root = join(import.meta.dirname, '../..')

const usualFolder = join(root, 'dist')

/** Where the bundle of a function lies: a folder with its `index.cjs`. @param folder of the build */
export const bundleOf = (name: string, folder = usualFolder): string => join(folder, 'functions', name)

/**
 * How all functions are bundled, by one call of esbuild.
 *
 * As CommonJS: an ES module that imports `node:http` loads undici too (nodejs/node#59686), 12 to 14 ms of CPU at every
 * cold start; `import('node:http')`, with which the SDK loads it for addresses without TLS, does the same. Without
 * source maps, which cost as much.
 */
export const bundling = {
  absWorkingDir: root,
  entryPoints: [
    ...functionNames.map(name => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    ...lazyParts.map(({ file, beside, name }) => ({ in: file, out: `${beside}/${name}` })),
  ],
  outdir: 'dist/functions',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  minify: true,
  metafile: true,
  write: false,
  format: 'cjs',
  platform: 'node',
  target: 'node24',
  supported: { 'dynamic-import': false },
  define: { 'import.meta.dirname': '__dirname' },
  mainFields: ['module', 'main'],
  legalComments: 'none',
  logLevel: 'warning',
  alias: { '@aws-sdk/credential-provider-node': './infra/build/environment-credentials.ts' },
  plugins: [trimSdk, trimRoutes, htmlPages, externalizeLazyParts],
} as const satisfies BuildOptions

/** Those that may have to refuse a common password. */
const withCommonPasswords = functionNames.filter(name => needsOf(rows[name]).settings.includes('PASSWORD_BLOCKLIST'))

interface BundleOptions {
  folder?: string
  /** Whether source maps are written. They lie apart from the bundles, so that no asset has one. */
  maps?: boolean
}

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
 * The same for the parts that were not made of the very sources, packages and Node that there are now: compressing the
 * catalogue takes most of what a start takes. A deploy does not rely on it.
 */
export async function bundleWhatChanged(folder?: string): Promise<void> {
  const { parts, stamps } = buildIn({ ...(folder !== undefined && { folder }) })
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
function buildIn({ folder = usualFolder, maps = true }: BundleOptions) {
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
      write: () => writeCatalogue(pack),
    },
    {
      name: 'openapi',
      sources: ['package.json', 'shared/**/*.json'],
      builder: 'infra/build/openapi.ts',
      outputs: [document],
      // Loaded on demand: importers that only need the paths of bundles would load every schema.
      write: async () => (await import('./openapi.ts')).writeOpenapi(document),
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

/** Where the source map of a bundle's file lies: apart from it, so that no asset has one. */
const mapOf = (file: string, folder: string): string => join(folder, 'maps', `${file}.map`)

/** The modules that each bundle is made of, by the name of its file without an extension. */
type Contents = Record<string, string[]>

async function writeBundles(
  { folder, maps, changed }: Required<BundleOptions> & { changed: string[] | null },
  sizes: Map<string, number>,
): Promise<void> {
  const outdir = bundleOf('', folder)
  const contentsFile = join(folder, 'stamps', 'contents.json')
  const known: Contents = existsSync(contentsFile) ? JSON.parse(readFileSync(contentsFile, 'utf8')) : {}
  const entryPoints = bundling.entryPoints.filter(({ out }) => isConcerned(known, out, changed))
  const { outputFiles, metafile } = await build({
    ...bundling,
    entryPoints,
    outdir,
    ...(maps && { sourcemap: 'external', sourcesContent: false }),
  })
  removeStale(folder)
  if (!maps) rmSync(mapOf('', folder), { recursive: true, force: true })
  for (const { path, contents } of outputFiles) {
    const [, file = '', isMap] = /^(.+?\.cjs)(\.map)?$/.exec(relative(outdir, path)) ?? []
    const name = dirname(file)
    if (!isMap) sizes.set(name, (sizes.get(name) ?? 0) + contents.length)
    writeChanged(isMap ? mapOf(file, folder) : path, contents)
  }
  for (const { in: entry, out } of entryPoints) known[out] = [...loadedBy(entry, metafile)]
  writeChanged(contentsFile, Buffer.from(JSON.stringify(known)))
}

/** A module with all that it imports, including what is left out of the bundle: a change may bring it in. */
function loadedBy(entry: string, { inputs }: Metafile): Set<string> {
  const loaded = new Set([entry])
  for (const file of loaded) for (const { path } of inputs[file]?.imports ?? []) loaded.add(path)
  return loaded
}

/** Whether a bundle may differ after these changes. Nobody knows what a page is composed of. */
function isConcerned(contents: Contents, name: string, changed: string[] | null): boolean {
  const inputs = contents[name]
  const isKnown = changed?.every(file => Object.values(contents).some(inputs => inputs.includes(file)))
  if (!isKnown || !inputs) return true
  return inputs.some(input => input.endsWith('.html') || changed?.includes(input))
}

function writeChanged(file: string, contents: Uint8Array): void {
  if (existsSync(file) && readFileSync(file).equals(contents)) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, contents)
}

function removeStale(folder: string): void {
  if (!existsSync(bundleOf('', folder))) return
  const stale = readdirSync(bundleOf('', folder)).filter(name => !functionNames.some(known => known === name))
  for (const name of stale) rmSync(bundleOf(name, folder), { recursive: true })
}

if (import.meta.main) {
  for (const [name, bytes] of await bundle())
    console.log(`${name.padEnd(22)}${(bytes / 1024).toFixed(1).padStart(7)} KB`)
}
