// The reference of the API: written at build time, with its style and its script inside.
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { writeReference } from '../../reference/page.ts'
import { writeIfChanged } from '../../shared/prebuilt/write.ts'
import { settingsTable } from '../settings/settings.ts'
import { browsers, hashSource, type Page } from './html-page.ts'
import { currentDocument } from './openapi.ts'

/** Its output is ASCII, as esbuild writes by itself. */
const bundling = {
  absWorkingDir: join(import.meta.dirname, '../..'),
  entryPoints: { script: 'reference/client/main.tsx', style: 'reference/reference.css' },
  outdir: 'dist/reference',
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  platform: 'browser',
  target: browsers,
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions

/** The page with the sources of its policy. */
export async function composeReference(): Promise<Page> {
  const { outputFiles } = await build(bundling)
  const textOf = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))?.text.trim() ?? ''
  const [script, style] = [textOf('script.js'), textOf('style.css')]
  const html = writeReference(currentDocument(), settingsTable)
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`)
  return { html, style: hashSource(style), script: hashSource(script) }
}

export async function writeReferencePage(file: string): Promise<void> {
  writeIfChanged(file, JSON.stringify(await composeReference()))
}
