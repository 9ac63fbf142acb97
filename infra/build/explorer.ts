// The catalogue's pack, and the explorer that it holds.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { catalogueLinks } from '../../api/catalogue-links.ts'
import { buildCatalogue } from '../../catalogue/build/build-catalogue.ts'
import { compactCatalogue } from '../../catalogue/build/compact.ts'
import { readSource } from '../../catalogue/build/source.ts'
import { writePack } from '../../catalogue/build/write-pack.ts'
import { writeExplorer } from '../../catalogue/explorer/pages/pages.ts'
import type { Effort } from '../../shared/prebuilt/encoding.ts'
import { bundleForBrowser } from './html-page.ts'

/** Words as the script carries them: without their sources. */
const words: Plugin = {
  name: 'words',
  setup({ onLoad }) {
    onLoad({ filter: /catalogue\/words\/[^/]+\.json$/ }, ({ path }) => {
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

/** Puts what loads a part late in its place, where the check asks for it. */
const late: Plugin = {
  name: 'late',
  setup({ onResolve }) {
    const path = join(import.meta.dirname, '../../catalogue/explorer/client/session/late.ts')
    onResolve({ filter: /\/(?:code|words|timestamps)\.ts$/ }, ({ importer }) =>
      /\/validate\/(?!text\/code)/.test(importer) ? { path } : null,
    )
  },
}

/** `search` and `late`: loaded by the script when they are needed. */
const bundleExplorer = () =>
  bundleForBrowser(
    {
      script: 'catalogue/explorer/client/main.tsx',
      search: 'catalogue/explorer/client/search/find.ts',
      late: 'catalogue/explorer/client/session/late-parts.ts',
      style: 'catalogue/explorer/explorer.css',
    },
    [compact, words, late],
  )

/** Writes the pack. @throws {CatalogueRefused} if the catalogue contradicts itself */
export async function writeCatalogue(file: string, effort: Effort): Promise<void> {
  const sources = await bundleExplorer()
  await writePack(file, catalogueLinks, catalogue => writeExplorer(catalogue, sources), effort)
}
