import { join } from 'node:path'
import { serveCatalogue } from '../shared/catalogue/serve/catalogue.ts'
import { openPack } from '../shared/catalogue/serve/pack.ts'
import { readParts } from '../shared/prebuilt/parts.ts'
import { lambda } from '../shared/runtime/lambda.ts'

const pack = join(import.meta.dirname, 'catalogue.pack')

export default serveCatalogue
export const handler = lambda(serveCatalogue, () => openPack(readParts(pack)))
