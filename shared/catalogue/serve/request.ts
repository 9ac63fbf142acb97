// What the catalogue is asked, and what answers it where no prebuilt answer does.
import type { Asked, HttpAnswer } from '../../prebuilt/response.ts'

/** What the catalogue reads of a request; API Gateway has decoded the path, not the query string. */
export type CatalogueRequest = Asked & {
  rawPath: string
  rawQueryString: string
  body?: string
  isBase64Encoded?: boolean
}

/** A path whose answer depends on more than its address. It throws what it refuses, as a `DomainError`. */
export type Service = { methods: readonly string[]; answer(request: CatalogueRequest): Promise<HttpAnswer> }
