import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { serve } from '../web-server.ts'

export interface HashRanges extends AsyncDisposable {
  url: string
  /** How often each password was found. */
  found: Map<string, number>
  heard: { method: string | undefined; path: string | undefined; headers: IncomingHttpHeaders }[]
  /** Answers in place of the ranges. */
  lie: ((response: ServerResponse) => void) | null
  /** Called before a range is answered. */
  before(): Promise<void>
}

const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

/** Stands in for Have I Been Pwned, as its documentation of November 2026 describes `GET /range/{hash prefix}`; it was never asked itself. */
export async function startHashRanges(): Promise<HashRanges> {
  const server = await serve(async ({ method, url: path, headers }, response) => {
    ranges.heard.push({ method, path, headers })
    await ranges.before()
    if (ranges.lie) return ranges.lie(response)
    const prefix = /^\/range\/([\dA-F]{5})$/.exec(path ?? '')?.[1]
    if (prefix === undefined) return response.writeHead(400).end('The hash prefix was not in a valid format')
    const hashes = [...ranges.found].map(([password, count]) => [hashOf(password), count] as const)
    const lines = hashes.flatMap(([hash, count]) => (hash.startsWith(prefix) ? [`${hash.slice(5)}:${count}`] : []))
    const padding = Array.from({ length: 800 }, (_, i) => `${hashOf(`padding ${i}`).slice(5)}:0`)
    response.writeHead(200, { 'content-type': 'text/plain' }).end([...lines, ...padding].toSorted().join('\r\n'))
  })
  const ranges: HashRanges = {
    url: server.url,
    found: new Map(),
    heard: [],
    lie: null,
    before: async () => {},
    [Symbol.asyncDispose]: () => server.close(),
  }
  return ranges
}
