import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, parse, relative } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { rows } from '../../api/needs.ts'
import { functionNames } from '../../api/route-keys.ts'
import type { FunctionName } from '../../api/routes.ts'
import { entries, entryName, root } from './entries.ts'
import { htmlPages } from './html-page.ts'
import { trimForms, trimRoutes, trimSdk } from './trim.ts'

export const usualFolder = join(root, 'dist')

/** Where the bundle of a function lies: a folder with its `index.cjs`. @param folder of the build */
export const bundleOf = (name: string, folder = usualFolder): string => join(folder, 'functions', name)

interface LazyPart {
  file: string
  beside: FunctionName
  name: string
}

const beside = (names: readonly FunctionName[], file: string, name: string): LazyPart[] =>
  names.map(each => ({ file, beside: each, name }))

/** A part for each function whose row uses a resource rarely. */
const besideThoseWith = (resource: string, file: string, name: string): LazyPart[] =>
  beside(
    functionNames.filter(each => rows[each].rarely?.some(rare => rare === resource)),
    file,
    name,
  )

/** The functions that compare a password with a stored hash, or with a revoked one. */
const comparing = functionNames.filter(
  each => rows[each].checksPassword || rows[each].refuses?.includes('former-password'),
)

/**
 * Parts that a function loads on demand: each is a file of its own beside the bundle, so that cold starts skip it. esbuild
 * cannot split CommonJS. A part holds its own copies of its imports, classes too: so it catches the errors that it throws.
 */
export const lazyParts: readonly LazyPart[] = [
  { file: 'catalogue/serve/validation.ts', beside: 'catalogue', name: 'validator' },
  { file: 'catalogue/serve/paraminfo.ts', beside: 'catalogue', name: 'paraminfo' },
  { file: 'catalogue/serve/mcp.ts', beside: 'catalogue', name: 'mcp' },
  { file: 'catalogue/serve/absent-page.ts', beside: 'catalogue', name: 'absent-page' },
  ...besideThoseWith('SigningKeys', 'shared/aws/keys.ts', 'keys'),
  ...besideThoseWith('MailQueue', 'shared/aws/queue.ts', 'mail-queue'),
  ...beside(comparing, 'accounts/password/forms.ts', 'forms'),
]

/** Where a part is built: beside the first function that loads it. The others get copies. */
const builtAt = ({ file }: LazyPart): string => {
  const first = lazyParts.find(part => part.file === file) as LazyPart
  return `${first.beside}/${first.name}`
}

/** The files of all bundles, and where esbuild writes each, without an extension. */
export const bundleFiles: readonly { file: string; built: string }[] = [
  ...functionNames.map(name => ({ file: `${name}/index.cjs`, built: `${name}/index` })),
  ...lazyParts.map(part => ({ file: `${part.beside}/${part.name}.cjs`, built: builtAt(part) })),
]

/** Has `import('…')` of a part require the file beside the bundle. */
const externalizeLazyParts: Plugin = {
  name: 'lazy-parts',
  setup(build) {
    // The names alone: esbuild waits for an answer to each import that fits.
    const names = [...new Set(lazyParts.map(({ file }) => parse(file).name))].join('|')
    build.onResolve({ filter: new RegExp(`/(?:${names})\\.ts$`) }, ({ kind, path }) => {
      const part = lazyParts.find(({ file }) => `/${file}`.endsWith(path.replace(/^(?:\.\.?\/)+/, '/')))
      return kind === 'dynamic-import' && part ? { path: `./${part.name}.cjs`, external: true } : undefined
    })
  },
}

/**
 * How all functions are bundled, by one call of esbuild.
 *
 * As CommonJS: an ES module that imports `node:http` loads undici too (nodejs/node#59686), 12 to 14 ms of CPU at every
 * cold start; `import('node:http')`, with which the SDK loads it for addresses without TLS, does the same. Without
 * source maps, which cost as much, and the build a quarter more: `writeMaps` makes those that are needed.
 */
export const bundling = {
  absWorkingDir: root,
  entryPoints: [
    ...functionNames.map(name => ({ in: entryName(name), out: `${name}/index` })),
    ...new Map(lazyParts.map(part => [part.file, { in: part.file, out: builtAt(part) }])).values(),
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
  plugins: [entries, trimSdk, trimRoutes, trimForms, htmlPages, externalizeLazyParts],
} as const satisfies BuildOptions

/** Where the source map of a bundle's file lies: apart from it, so that no asset has one. */
const mapOf = (file: string, folder: string): string => join(folder, 'maps', `${file}.map`)

/** The modules that each bundle is made of, by the name of its file without an extension. */
type Contents = Record<string, string[]>

/** Entries in one call of esbuild while somebody counts. Four calls take a fifth more CPU than one, and eight take half more. */
const counted = 14

/** Hears how many functions are built, and how many there are. */
export type OnBuilt = (built: number, all: number) => void

/**
 * Writes the bundles of functions that may differ after changes; null: of all.
 *
 * @param sizes gets the bytes by function name
 */
export async function writeBundles(
  { folder, changed, onBuilt }: { folder: string; changed: string[] | null; onBuilt?: OnBuilt | undefined },
  sizes: Map<string, number>,
): Promise<void> {
  const outdir = bundleOf('', folder)
  const contentsFile = join(folder, 'stamps', 'contents.json')
  const known: Contents = existsSync(contentsFile) ? JSON.parse(readFileSync(contentsFile, 'utf8')) : {}
  const entryPoints = bundling.entryPoints.filter(({ out }) => isConcerned(known, out, changed))
  removeStale(folder)
  // esbuild says nothing between its beginning and its end. Parts come first: only whole functions count.
  const waiting = onBuilt ? entryPoints.toReversed() : entryPoints
  const functionsIn = (entries: readonly { out: string }[]) =>
    entries.filter(({ out }) => out.endsWith('/index')).length
  onBuilt?.(0, functionsIn(entryPoints))
  for (let done = 0; done < waiting.length; ) {
    const next = waiting.slice(done, onBuilt ? done + counted : undefined)
    const { outputFiles, metafile } = await build({ ...bundling, entryPoints: next, outdir })
    for (const { path, contents } of outputFiles) {
      for (const { file } of bundleFiles.filter(({ built }) => `${built}.cjs` === relative(outdir, path))) {
        const name = dirname(file)
        sizes.set(name, (sizes.get(name) ?? 0) + contents.length)
        if (writeChanged(join(outdir, file), contents)) rmSync(mapOf(file, folder), { force: true })
      }
    }
    for (const { in: entry, out } of next) known[out] = [...loadedBy(entry, metafile)]
    done += next.length
    onBuilt?.(functionsIn(waiting.slice(0, done)), functionsIn(entryPoints))
  }
  writeChanged(contentsFile, Buffer.from(JSON.stringify(known)))
}

/** Writes the source maps of a function's bundle, unless its sources make another one by now. */
export async function writeMaps(name: string, folder: string): Promise<void> {
  const outdir = bundleOf('', folder)
  const parts = lazyParts.filter(({ beside }) => beside === name)
  const { outputFiles } = await build({
    ...bundling,
    entryPoints: [
      { in: entryName(name), out: `${name}/index` },
      ...parts.map(part => ({ in: part.file, out: `${name}/${part.name}` })),
    ],
    outdir,
    sourcemap: 'external',
    sourcesContent: false,
  })
  const contentsOf = new Map(outputFiles.map(({ path, contents }) => [path, contents]))
  for (const [path, contents] of contentsOf) {
    const map = contentsOf.get(`${path}.map`)
    if (map && readFileSync(path).equals(contents)) writeChanged(mapOf(relative(outdir, path), folder), map)
  }
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

/** @returns whether the file had other contents */
function writeChanged(file: string, contents: Uint8Array): boolean {
  if (existsSync(file) && readFileSync(file).equals(contents)) return false
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, contents)
  return true
}

function removeStale(folder: string): void {
  if (!existsSync(bundleOf('', folder))) return
  const stale = readdirSync(bundleOf('', folder)).filter(name => !functionNames.some(known => known === name))
  for (const name of stale) rmSync(bundleOf(name, folder), { recursive: true })
}
