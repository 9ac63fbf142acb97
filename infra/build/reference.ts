// The reference of the API: written at build time, with its style and its script inside.
import { writeReference } from '../../reference/page.ts'
import { writeIfChanged } from '../../shared/prebuilt/write.ts'
import { settingsTable } from '../settings/settings.ts'
import { bundleForBrowser, inOnePiece } from './html-page.ts'
import { currentDocument } from './openapi.ts'

/** Writes the page with the sources of its policy. */
export async function writeReferencePage(file: string): Promise<void> {
  const entryPoints = { script: 'reference/client/main.tsx', style: 'reference/reference.css' }
  const { script, style } = await bundleForBrowser(entryPoints)
  const html = writeReference(currentDocument(), settingsTable)
  const page = inOnePiece(html, ['<style></style>', style], ['<script type="module"></script>', script])
  writeIfChanged(file, JSON.stringify(page))
}
