import type { PrebuiltRequest } from '../../prebuilt/response.ts'

/** What the catalogue reads of a request; API Gateway has decoded the path, not the query string. */
export type CatalogueRequest = PrebuiltRequest & {
  rawPath: string
  rawQueryString: string
  body?: string
  isBase64Encoded?: boolean
}
