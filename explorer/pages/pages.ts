// The explorer at build time: its pages, and the two files that all of them load.
import type { Catalogue } from '../../shared/catalogue/model.ts'
import { explorerTypes } from '../../shared/catalogue/serve/explorer-headers.ts'
import type { Content } from '../../shared/prebuilt/pack.ts'
import { hash } from '../../shared/prebuilt/write.ts'
import { type Page, writePage } from './frame.ts'
import { writeIndexPage } from './index-page.ts'
import { writeModulePage } from './module-page.ts'
import { writeSetPage } from './set-page.ts'

/** The text of the script and of the style sheet, in ASCII. */
export type Sources = { script: string; style: string }

/** Everything that the explorer answers, by the path below `/catalogue/`. */
export function writeExplorer(catalogue: Catalogue, { script, style }: Sources): Map<string, Content> {
  const files = { script: fileName(script, 'js'), style: fileName(style, 'css') }
  const assets = { script: `/catalogue/${files.script}`, style: `/catalogue/${files.style}` }
  const page = (path: string, page: Page) =>
    [path, { text: writePage(page, assets), type: explorerTypes.page }] as const
  return new Map<string, Content>([
    [files.script, { text: script, type: explorerTypes.script }],
    [files.style, { text: style, type: explorerTypes.style }],
    page('explore', writeIndexPage(catalogue)),
    ...catalogue.modules.map(module => page(`explore/${module.path}`, writeModulePage(module, catalogue))),
    ...catalogue.sets.map(set => page(`explore/sets/${set.name}`, writeSetPage(set, catalogue))),
  ])
}

/** A name that no other content has, so that a browser that has the file never requests it again. 60 bits of the hash. */
const fileName = (text: string, extension: string): string => `explore/assets/explorer-${hash(text, 10)}.${extension}`
