import { join } from 'node:path'
import { lambda } from '../api/lambda.ts'
import type { PathOf } from '../api/routes.ts'
import { openPack, type Pack } from '../catalogue/serve/pack.ts'
import { serveCatalogue } from '../catalogue/serve/serve-catalogue.ts'
import { readParts } from '../shared/prebuilt/parts.ts'

const file = join(import.meta.dirname, 'catalogue.pack')

const validation: PathOf<'validate-query'> = '/catalogue/validate'
const paraminfo: PathOf<'get-paraminfo'> = '/catalogue/w/api.php'
const mcp: PathOf<'call-tools'> = '/catalogue/mcp'

const catalogue = (pack: Pack) => serveCatalogue(pack, { validation, paraminfo, mcp })

export default catalogue
export const handler = lambda(catalogue, () => openPack(readParts(file)))
