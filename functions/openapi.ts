import { join } from 'node:path'
import type { Granted } from '../api/deps.ts'
import { lambda } from '../api/lambda.ts'
import { type Documents, documentFile, documentParameters, openDocuments, withContact } from '../api/openapi/served.ts'
import { refuse } from '../catalogue/serve/http.ts'
import { settings } from '../shared/base/environment.ts'
import { refuseQuery, takeQuery } from '../shared/base/query.ts'
import { readParts } from '../shared/prebuilt/parts.ts'
import { type HttpAnswer, type PrebuiltRequest, respond } from '../shared/prebuilt/response.ts'

const pack = join(import.meta.dirname, documentFile)

interface Parts {
  config: Granted<'openapi'>['config']
  documents: Documents
}

/** Serves the API's description, or the part with a requested tag. */
const serveDocument = ({ config, documents }: Parts) => {
  const find = config.supportEmail === null ? documents : withContact(documents, config.supportEmail)
  return async (request: PrebuiltRequest & { rawQueryString: string }): Promise<HttpAnswer> => {
    const query = takeQuery(request.rawQueryString, documentParameters)
    if (query instanceof Map) return respond(find(query.get('tags')), request)
    return refuse(request.requestContext.http.method, refuseQuery(query))
  }
}

export default serveDocument
export const handler = lambda(serveDocument, () => ({ ...settings, documents: openDocuments(readParts(pack)) }))
