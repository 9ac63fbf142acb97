import { join } from 'node:path'
import { bundleOf } from '../../infra/build/bundle.ts'
import type { OpenapiDocument } from '../../shared/openapi/document.ts'
import { documentFile, openDocument } from '../../shared/openapi/served.ts'
import { readParts } from '../../shared/prebuilt/parts.ts'

/** The answer that holds the document, as its function finds it beside its bundle. */
export const served = openDocument(readParts(join(bundleOf('openapi'), documentFile)))

/** The document as it is served. */
export const document = JSON.parse(served.text) as OpenapiDocument
