import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { writeExplorer } from '../../explorer/pages/pages.ts'
import { commonPasswordsFile } from '../../shared/accounts/passwords/common-passwords.ts'
import { catalogueLinks } from '../../shared/api/catalogue-links.ts'
import { needsOf, rows } from '../../shared/api/needs.ts'
import { documentFile } from '../../shared/api/openapi/served.ts'
import { functionNames } from '../../shared/api/route-keys.ts'
import { packFile, writePack } from '../../shared/catalogue/build/write-pack.ts'
import { writeCommonPasswords } from './common-passwords.ts'
import { bundleExplorer } from './explorer.ts'
import { htmlPages } from './html-page.ts'
import { externalizeLazyParts, lazyParts } from './lazy-parts.ts'
import { trimRoutes, trimSdk } from './trim.ts'

const root = join(import.meta.dirname, '../..')
const outdir = 'dist/functions'

/** Where the bundle of a function lies: a folder with its `index.cjs`. */
export const bundleOf = (name: string): string => join(root, outdir, name)

/**
 * How all functions are bundled, by one call of esbuild.
 *
 * As CommonJS: an ES module that imports `node:http` loads undici too (nodejs/node#59686), 12 to 14 ms of CPU at every
 * cold start; `import('node:http')`, with which the SDK loads it for addresses without TLS, does the same. Without
 * source maps: they cost as much, and minified names do not hide the messages that are logged.
 */
export const bundling = {
  absWorkingDir: root,
  entryPoints: [
    ...functionNames.map(name => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    ...lazyParts.map(({ file, beside, name }) => ({ in: file, out: `${beside}/${name}` })),
  ],
  outdir,
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

/**
 * Writes the bundles of all functions, and what some of them read beside theirs. What has not changed is left
 * alone: it may be running.
 *
 * @returns bytes by function name
 * @throws {CatalogueRefused} if the catalogue contradicts itself
 */
export async function bundle(): Promise<Map<string, number>> {
  const inputs = hashOfInputs()
  // Loaded on demand: importers that only need the paths of bundles would load every schema.
  const { writeOpenapi } = await import('./openapi.ts')
  const packing = [
    bundleExplorer().then(sources =>
      writePack(join(bundleOf('catalogue'), packFile), catalogueLinks, catalogue => writeExplorer(catalogue, sources)),
    ),
    writeOpenapi(join(bundleOf('openapi'), documentFile)),
    writeCommonPasswords(withCommonPasswords.map(name => join(bundleOf(name), commonPasswordsFile))),
  ]
  const [{ outputFiles }] = await Promise.all([build(bundling), ...packing])
  removeStale()
  for (const { path, contents } of outputFiles) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  }
  writeFileSync(stamp, inputs)
  const sizes = new Map<string, number>()
  for (const { path, contents } of outputFiles) {
    const name = basename(dirname(path))
    sizes.set(name, (sizes.get(name) ?? 0) + contents.length)
  }
  return sizes
}

/**
 * The same, unless all bundles were made of the very sources, packages and Node that there are now: compressing the
 * catalogue takes most of what a start takes. A deploy does not rely on it.
 */
export async function bundleWhatChanged(): Promise<void> {
  const isThere = existsSync(stamp) && outputs.every(file => existsSync(join(root, outdir, file)))
  if (!isThere || readFileSync(stamp, 'utf8') !== hashOfInputs()) await bundle()
}

const outputs = bundling.entryPoints.map(({ out }) => `${out}.cjs`)

/** Written last, so that an interrupted run leaves no stamp or an old one. */
const stamp = join(root, 'dist', 'inputs.sha256')

function hashOfInputs(): string {
  const hash = createHash('sha256').update(process.version)
  const files = globSync(['{explorer,functions,shared}/**/*', 'infra/build/*', 'package-lock.json'], {
    cwd: root,
  }).sort()
  for (const file of files.filter(file => statSync(join(root, file)).isFile())) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function removeStale(): void {
  if (!existsSync(join(root, outdir))) return
  const stale = readdirSync(join(root, outdir)).filter(name => !functionNames.some(known => known === name))
  for (const name of stale) rmSync(bundleOf(name), { recursive: true })
}

if (import.meta.main) {
  for (const [name, bytes] of await bundle())
    console.log(`${name.padEnd(22)}${(bytes / 1024).toFixed(1).padStart(7)} KB`)
}
