import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenapiDocument, partOf, writeDocument } from '../../api/openapi/document.ts'
import { type DocumentHead, partNames, wholeDocument } from '../../api/openapi/served.ts'
import { buildCatalogue } from '../../catalogue/build/build-catalogue.ts'
import { readSource } from '../../catalogue/build/source.ts'
import type { Effort } from '../../shared/prebuilt/encoding.ts'
import { compressAll, escapeNonAscii, startPack, writeIfChanged } from '../../shared/prebuilt/write.ts'

const packageFile = join(import.meta.dirname, '../../package.json')

/** The OpenAPI document of this checkout. */
export function currentDocument(): OpenapiDocument {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  return writeDocument(buildCatalogue(readSource()), version)
}

/** Writes the document, and each part that can be had alone, to a pack. */
export async function writeOpenapi(file: string, effort: Effort): Promise<void> {
  const whole = currentDocument()
  const parts = partNames.map(tag => [tag, partOf(whole, tag)] as const)
  const texts = [[wholeDocument, whole] as const, ...parts].map(
    ([key, document]) => [key, { text: escapeNonAscii(JSON.stringify(document)) }] as const,
  )
  const pack = startPack()
  const head: DocumentHead = { answers: pack.index(await compressAll(new Map(texts), effort)) }
  writeIfChanged(file, pack.seal(head))
}

// At a release (CONTRIBUTING.md).
if (import.meta.main) console.log(JSON.stringify(currentDocument()))
