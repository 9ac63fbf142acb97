// The explorer at build time: its pages, and their shared files.

import type { Content } from '../../../shared/prebuilt/pack.ts'
import { hash } from '../../../shared/prebuilt/write.ts'
import type { Catalogue } from '../../model.ts'
import { explorerTypes } from '../../serve/explorer-headers.ts'
import { type Page, writePage } from './frame.ts'
import { writeIndexPage } from './index-page.ts'
import { writeModulePage } from './module-page.ts'
import { writeSetPage } from './set-page.ts'

/** The scripts and the style sheet, in ASCII. The script loads `search` and `late` on demand. */
type Sources = { script: string; style: string; search: string; late: string }

/** All answers of the explorer, by the path below `/catalogue/`. */
export function writeExplorer(catalogue: Catalogue, sources: Sources): Map<string, Content> {
  const files = {
    script: fileName('explorer', sources.script, 'js'),
    style: fileName('explorer', sources.style, 'css'),
    search: fileName('search', sources.search, 'js'),
    late: fileName('late', sources.late, 'js'),
  }
  const pathOf = (file: string) => `/catalogue/${file}`
  const assets = {
    script: pathOf(files.script),
    style: pathOf(files.style),
    search: pathOf(files.search),
    late: pathOf(files.late),
  }
  const pageAt = (path: string, page: Page) =>
    [path, { text: writePage(page, assets), type: explorerTypes.page }] as const
  return new Map<string, Content>([
    [files.script, { text: sources.script, type: explorerTypes.script }],
    [files.search, { text: sources.search, type: explorerTypes.script }],
    [files.late, { text: sources.late, type: explorerTypes.script }],
    [files.style, { text: sources.style, type: explorerTypes.style }],
    pageAt('explore', writeIndexPage(catalogue)),
    ...catalogue.modules.map(module => pageAt(`explore/${module.path}`, writeModulePage(module, catalogue))),
    ...catalogue.sets.map(set => pageAt(`explore/sets/${set.name}`, writeSetPage(set, catalogue))),
  ])
}

/** A name with 60 bits of the content's hash: a browser that has the file never requests it again. */
const fileName = (name: string, text: string, extension: string): string =>
  `explore/assets/${name}-${hash(text, 10)}.${extension}`
