// The catalogue's pack, and the explorer that it holds.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { type Sources, writeExplorer } from '../../explorer/pages/pages.ts'
import { catalogueLinks } from '../../shared/api/catalogue-links.ts'
import { buildCatalogue } from '../../shared/catalogue/build/build-catalogue.ts'
import { compactCatalogue } from '../../shared/catalogue/build/compact.ts'
import { readSource } from '../../shared/catalogue/build/source.ts'
import { writePack } from '../../shared/catalogue/build/write-pack.ts'
import { browsers } from './html-page.ts'

const root = join(import.meta.dirname, '../..')
const folder = 'explorer'

/** Words as the script carries them: without their sources. */
const words: Plugin = {
  name: 'words',
  setup({ onLoad }) {
    onLoad({ filter: /shared\/catalogue\/words\/[^/]+\.json$/ }, ({ path }) => {
      const isKept = (key: string, value: unknown) => (key === 'source' || key === 'columns' ? undefined : value)
      return { contents: JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), isKept), loader: 'json' }
    })
  },
}

/** The catalogue that the script carries. */
const compact: Plugin = {
  name: 'compact-catalogue',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^compact-catalogue$/ }, ({ path }) => ({ path, namespace: 'catalogue' }))
    onLoad({ filter: /.*/, namespace: 'catalogue' }, () => ({
      contents: JSON.stringify(compactCatalogue(buildCatalogue(readSource()))),
      loader: 'json',
    }))
  },
}

/** Its output is ASCII, as esbuild writes by itself. */
export const explorerBundling = {
  absWorkingDir: root,
  entryPoints: {
    script: `${folder}/client/main.tsx`,
    search: `${folder}/client/search/find.ts`,
    style: `${folder}/explorer.css`,
  },
  outdir: 'dist/explorer',
  bundle: true,
  minify: true,
  metafile: true,
  write: false,
  format: 'esm',
  platform: 'browser',
  target: browsers,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [compact, words],
} as const satisfies BuildOptions

/** Writes the pack. @throws {CatalogueRefused} if the catalogue contradicts itself */
export async function writeCatalogue(file: string): Promise<void> {
  const sources = await bundleExplorer()
  await writePack(file, catalogueLinks, catalogue => writeExplorer(catalogue, sources))
}

async function bundleExplorer(): Promise<Sources> {
  const { outputFiles } = await build(explorerBundling)
  const textOf = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? ''
  return { script: textOf('script.js'), search: textOf('search.js'), style: textOf('style.css') }
}
