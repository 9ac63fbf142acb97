import { join } from 'node:path'
import { lambda } from '../shared/api/lambda.ts'
import { documentFile, openDocument } from '../shared/api/openapi/served.ts'
import type { Answer } from '../shared/prebuilt/pack.ts'
import { readParts } from '../shared/prebuilt/parts.ts'
import { type HttpAnswer, type PrebuiltRequest, respond } from '../shared/prebuilt/response.ts'

const pack = join(import.meta.dirname, documentFile)

const serveDocument =
  (document: Answer) =>
  async (request: PrebuiltRequest): Promise<HttpAnswer> =>
    respond(document, request)

export default serveDocument
export const handler = lambda(serveDocument, () => openDocument(readParts(pack)))
