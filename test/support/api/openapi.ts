import { join } from 'node:path'
import { expect } from 'vitest'
import { conformanceTo, type WireAnswer } from '../../../api/openapi/conformance.ts'
import type { OpenapiDocument } from '../../../api/openapi/document.ts'
import { documentFile, openDocuments } from '../../../api/openapi/served.ts'
import { bundleOf } from '../../../infra/build/function-bundles.ts'
import { readParts } from '../../../shared/prebuilt/parts.ts'

/** The prebuilt documents, read from beside the function's bundle. */
export const documents = openDocuments(readParts(join(bundleOf('openapi'), documentFile)))

/** The document as it is served. */
export const document = JSON.parse(documents().text) as OpenapiDocument

const direct = conformanceTo(document, { isClosed: true, isGateway: false })
const throughGateway = conformanceTo(document, { isClosed: true, isGateway: true })

/**
 * Checks an answer against the OpenAPI document.
 *
 * @param path decoded, without its query
 * @param faultsOf by default the answer comes from a function itself
 */
export function expectDescribed(method: string, path: string, answer: WireAnswer, faultsOf = direct): void {
  expect({ method, path, faults: faultsOf(method, path, answer) }).toEqual({ method, path, faults: [] })
}

/** Looks headers up in a record with names in lower case. */
export const byName =
  (headers: Record<string, unknown>) =>
  (name: string): string | null => {
    const value = headers[name.toLowerCase()]
    return value === undefined ? null : String(value)
  }

/** The path of a request target as API Gateway decodes it; unchanged if its escapes are invalid. */
function decodedPath(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/]*/i, '').split('?')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Checks an answer that was received over HTTP against the document. @param target the request target */
export const expectDescribedOnWire = (method: string, target: string, answer: WireAnswer): void =>
  expectDescribed(method, decodedPath(target), answer, throughGateway)
