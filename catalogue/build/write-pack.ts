// Writes all answers into the function's single file.
import type { Effort } from '../../shared/prebuilt/encoding.ts'
import type { Content } from '../../shared/prebuilt/pack.ts'
import { compressAll, hash, startPack, writeIfChanged } from '../../shared/prebuilt/write.ts'
import type { Catalogue } from '../model.ts'
import { describeAll } from '../paraminfo/parents.ts'
import type { PackHead } from '../serve/pack.ts'
import { type Links, writeAnswers, writeLists, writeRows } from './answers.ts'
import { buildCatalogue } from './build-catalogue.ts'
import { compactCatalogue } from './compact.ts'
import { readSource } from './source.ts'

/** The name of the pack, beside the function's bundle. */
export const packFile = 'catalogue.pack'

/**
 * Builds the pack from the source files, and writes it.
 *
 * @param pagesOf answers for people, by the path below `/catalogue/`
 * @throws {CatalogueRefused} if the source files contradict themselves
 */
export async function writePack(
  file: string,
  links: Links,
  pagesOf: (catalogue: Catalogue) => Map<string, Content>,
  effort: Effort,
): Promise<void> {
  const catalogue = buildCatalogue(readSource())
  const answered = new Map([...writeAnswers(catalogue, links), ...pagesOf(catalogue)])
  writeIfChanged(file, await packCatalogue(catalogue, answered, effort))
}

/** A catalogue's pack as ASCII text, for `openPack`. */
async function packCatalogue(catalogue: Catalogue, answered: Map<string, Content>, effort: Effort): Promise<string> {
  const [answers, lists] = await Promise.all([
    compressAll(answered, effort),
    compressAll(writeLists(catalogue), effort),
  ])
  const pack = startPack()
  const head: PackHead = {
    version: catalogue.catalogue_version,
    hash: hash(JSON.stringify(catalogue), 8),
    answers: pack.index(answers),
    lists: pack.index(lists),
    rows: pack.append(JSON.stringify(writeRows(catalogue.modules))),
    compact: pack.append(JSON.stringify(compactCatalogue(catalogue))),
    paraminfo: pack.append(JSON.stringify(describeAll(catalogue))),
  }
  return pack.seal(head)
}
