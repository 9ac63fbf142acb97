import { join } from 'node:path'
import { lambda } from '../shared/api/lambda.ts'
import { serveCatalogue } from '../shared/catalogue/serve/catalogue.ts'
import { openPack } from '../shared/catalogue/serve/pack.ts'
import { readParts } from '../shared/prebuilt/parts.ts'

const pack = join(import.meta.dirname, 'catalogue.pack')

export default serveCatalogue
export const handler = lambda(serveCatalogue, () => openPack(readParts(pack)))
