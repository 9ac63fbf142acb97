// The catalogue's pack, and the explorer that it holds.
import type { Plugin } from 'esbuild'
import { writeExplorer } from '../../explorer/pages/pages.ts'
import { catalogueLinks } from '../../shared/api/catalogue-links.ts'
import { buildCatalogue } from '../../shared/catalogue/build/build-catalogue.ts'
import { compactCatalogue } from '../../shared/catalogue/build/compact.ts'
import { readSource } from '../../shared/catalogue/build/source.ts'
import { writePack } from '../../shared/catalogue/build/write-pack.ts'
import { bundleForBrowser } from './html-page.ts'

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

export const bundleExplorer = () =>
  bundleForBrowser({ script: 'explorer/client/main.tsx', style: 'explorer/explorer.css' }, [compact])

/** Writes the pack. @throws {CatalogueRefused} if the catalogue contradicts itself */
export async function writeCatalogue(file: string): Promise<void> {
  const sources = await bundleExplorer()
  await writePack(file, catalogueLinks, catalogue => writeExplorer(catalogue, sources))
}
