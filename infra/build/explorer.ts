// The catalogue's pack, and the explorer that it holds.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { catalogueLinks } from '../../api/catalogue-links.ts'
import { buildCatalogue } from '../../catalogue/build/build-catalogue.ts'
import { compactCatalogue } from '../../catalogue/build/compact.ts'
import { readSource } from '../../catalogue/build/source.ts'
import { writePack } from '../../catalogue/build/write-pack.ts'
import { firstScript, writeExplorer } from '../../catalogue/explorer/pages/pages.ts'
import type { Effort } from '../../shared/prebuilt/encoding.ts'
import { bundleForBrowser } from './html-page.ts'

const client = join(import.meta.dirname, '../../catalogue/explorer/client')

/** The words in the script, without their sources. */
const words: Plugin = {
  name: 'words',
  setup({ onLoad, onResolve }) {
    // The search says of an extension's module only which extension it is of.
    onResolve({ filter: /\/extensions\.json$/ }, ({ path, importer, resolveDir }) =>
      importer.includes('/search/') ? { path: join(resolveDir, path), suffix: '?columns=2' } : null,
    )
    onLoad({ filter: /catalogue\/words\/[^/]+\.json$/ }, ({ path, suffix }) => {
      const isPeople = path.endsWith('/people.json')
      const keep = (key: string, value: unknown) => {
        if (key === 'source' || key === 'columns') return undefined
        // The search has them in the catalogue's order.
        if (isPeople && key === 'modules') return Object.values(value as object)
        return suffix && Array.isArray(value) && typeof value[0] === 'string' ? value.slice(0, 2) : value
      }
      return { contents: JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), keep), loader: 'json' }
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

/** Swaps in the lazy loader for the modules that it wraps. */
const late: Plugin = {
  name: 'late',
  setup({ onResolve }) {
    const path = join(client, 'late.ts')
    onResolve({ filter: /\/(?:code|words|forms|nearest|normalize|unread|unknown)\.ts$/ }, () => ({ path }))
  },
}

/** What the builder and the search take from the first script, which loads them: names by module. */
const shared = {
  'preact/jsx-runtime': 'Fragment, jsx, jsxs',
  'preact/hooks': 'useLayoutEffect, useMemo, useRef, useState',
  '../../addresses.ts': 'bareName, fragment, indexPage, modulePage, modulePath, queryNameId, valueId',
  '../../validate/checks/several-values.ts': 'selectsAll',
  '../../validate/knowledge.ts': 'choosing, pageSets, queryLevel, wireName',
  '../../validate/text/edits.ts': 'editQuery',
  '../../validate/text/pairs.ts': 'isSensitive, joinValues, readParts',
  '../../validate/text/query.ts': 'effectivePairs',
  './knowledge.ts': 'knowledge',
  './purposes.ts': 'listedPurposes',
}

/** Has the first script export it. */
const sharing: Plugin = {
  name: 'sharing',
  setup({ onLoad }) {
    onLoad({ filter: /\/client\/main\.tsx$/ }, ({ path }) => {
      const exported = Object.entries(shared).map(
        ([module, names]) => `export { ${names} } from ${JSON.stringify(module)}`,
      )
      return { contents: [readFileSync(path, 'utf8'), ...exported].join('\n'), loader: 'tsx' }
    })
  },
}

/** Has them import it from there. The builder's sentences are its own. */
const taking: Plugin = {
  name: 'taking',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^(?:preact\b|\.\.\/)/ }, ({ path, importer }) =>
      (importer.startsWith(join(client, 'builder/')) && !path.endsWith('/sentences.ts')) ||
      (importer.startsWith(join(client, 'search/')) && /\/(?:addresses|knowledge)\.ts$/.test(path))
        ? { path: firstScript, namespace: 'shared' }
        : null,
    )
    onResolve({ filter: /.*/, namespace: 'shared' }, () => ({ path: firstScript, external: true }))
    onLoad({ filter: /.*/, namespace: 'shared' }, () => ({
      contents: `export { ${Object.values(shared).join(', ')} } from ${JSON.stringify(firstScript)}`,
    }))
  },
}

/** The first script and the style sheet, and what the script loads on demand, with all its modules. */
async function bundleExplorer() {
  const [first, lazy] = await Promise.all([
    bundleForBrowser({ script: `${client}/main.tsx`, style: 'catalogue/explorer/explorer.css' }, [
      compact,
      words,
      late,
      sharing,
    ]),
    bundleForBrowser(
      {
        search: `${client}/search/find.ts`,
        sentences: 'catalogue/explorer/words.ts',
        late: `${client}/late-parts.ts`,
        rare: `${client}/rare-parts.ts`,
        builder: `${client}/builder/builder.tsx`,
        'builder-style': `${client}/builder/builder.css`,
      },
      [words, taking],
    ),
  ])
  return { ...lazy, ...first }
}

/** Writes the pack. @throws {CatalogueRefused} if the catalogue contradicts itself */
export async function writeCatalogue(file: string, effort: Effort): Promise<void> {
  const sources = await bundleExplorer()
  await writePack(file, catalogueLinks, catalogue => writeExplorer(catalogue, sources), effort)
}
