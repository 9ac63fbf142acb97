// The explorer at build time: its pages, and their shared files.

import type { Content } from '../../../shared/prebuilt/pack.ts'
import { hash } from '../../../shared/prebuilt/write.ts'
import type { Catalogue } from '../../model.ts'
import { explorerTypes } from '../../serve/explorer-headers.ts'
import { type Assets, lazyFiles, type Page, writePage } from './frame.ts'
import { writeIndexPage } from './index-page.ts'
import { writeModulePage } from './module-page.ts'
import { writeSetPage } from './set-page.ts'

/**
 * All answers of the explorer, by the path below `/catalogue/`.
 *
 * @param sources the style sheet and the scripts, in ASCII; all but `script` are loaded on demand
 */
export function writeExplorer(catalogue: Catalogue, sources: Assets): Map<string, Content> {
  const names = ['script', 'style', ...lazyFiles] as const
  const script = fileName('explorer', sources.script, 'js')
  const files = names.map(name => {
    const text = sources[name].replaceAll(firstScript, script.replace(/^.*\//, './'))
    const isStyle = name.endsWith('style')
    const path = fileName(name.replace(/^(?:script|style)$/, 'explorer'), text, isStyle ? 'css' : 'js')
    return { name, path, content: { text, type: isStyle ? explorerTypes.style : explorerTypes.script } }
  })
  const assets = Object.fromEntries(files.map(({ name, path }) => [name, `/catalogue/${path}`])) as Assets
  const pageAt = (path: string, page: Page) =>
    [path, { text: writePage(page, assets), type: explorerTypes.page }] as const
  return new Map<string, Content>([
    ...files.map(({ path, content }) => [path, content] as const),
    pageAt('explore', writeIndexPage(catalogue)),
    ...catalogue.modules.map(module => pageAt(`explore/${module.path}`, writeModulePage(module, catalogue))),
    ...catalogue.sets.map(set => pageAt(`explore/sets/${set.name}`, writeSetPage(set, catalogue))),
  ])
}

/** In the builder's file, which takes from the first script what both use. */
export const firstScript = './explorer.js'

/** A name with 60 bits of the content's hash: a browser that has the file never requests it again. */
const fileName = (name: string, text: string, extension: string): string =>
  `explore/assets/${name}-${hash(text, 10)}.${extension}`
