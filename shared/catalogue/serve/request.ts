// What the catalogue is asked.
import type { Asked } from '../../prebuilt/response.ts'

/** What the catalogue reads of a request; API Gateway has decoded the path, not the query string. */
export type CatalogueRequest = Asked & {
  rawPath: string
  rawQueryString: string
  body?: string
  isBase64Encoded?: boolean
}
