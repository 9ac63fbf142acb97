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

/** The words in the script, without their sources. */
const words: Plugin = {
  name: 'words',
  setup({ onLoad }) {
    onLoad({ filter: /catalogue\/words\/[^/]+\.json$/ }, ({ path }) => {
      const isKept = (key: string, value: unknown) => (key === 'source' || key === 'columns' ? undefined : value)
      return { contents: JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), isKept), loader: 'json' }
    })
  },
}

/** The catalogue in the script. */
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

/** Swaps in the lazy loader for the modules that it wraps, where the check imports them. */
const late: Plugin = {
  name: 'late',
  setup({ onResolve }) {
    const path = join(import.meta.dirname, '../../catalogue/explorer/client/late.ts')
    onResolve(
      { filter: /\/(?:code|words|timestamps|forms|nearest|normalize|sentences|unread)\.ts$/ },
      ({ importer }) =>
        /\/validate\/(?!text\/code|words|unread|rule-texts\/timestamps)|copy-box|builder\/fields/.test(importer)
          ? { path }
          : null,
    )
  },
}

/** The script loads `search` and `late` on demand. */
const bundleExplorer = () =>
  bundleForBrowser(
    {
      script: 'catalogue/explorer/client/main.tsx',
      search: 'catalogue/explorer/client/search/find.ts',
      late: 'catalogue/explorer/client/late-parts.ts',
      style: 'catalogue/explorer/explorer.css',
    },
    [compact, words, late],
  )

/** Writes the pack. @throws {CatalogueRefused} if the catalogue contradicts itself */
export async function writeCatalogue(file: string, effort: Effort): Promise<void> {
  const sources = await bundleExplorer()
  await writePack(file, catalogueLinks, catalogue => writeExplorer(catalogue, sources), effort)
}
