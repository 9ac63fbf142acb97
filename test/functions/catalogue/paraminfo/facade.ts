// The facade of MediaWiki's action=paraminfo, over HTTP.
import { expect } from 'vitest'
import type { Catalogue } from '../../../../catalogue/model.ts'
import { ask, read } from '../../../support/catalogue/served.ts'

export const path = '/catalogue/w/api.php'
export const { modules: described } = await read<Catalogue>('/catalogue/export/catalogue.json')
export const paths = described.map(module => module.path).sort()

export type Info = Record<string, unknown> & {
  name: string
  type: string | string[]
  submodules?: Record<string, string>
}
export type Described = Record<string, unknown> & { name: string; path: string; prefix: string; parameters: Info[] }
type Answer = {
  error?: Record<string, string>
  warnings?: { paraminfo: Record<string, string> }
  paraminfo: { helpformat: string; modules?: Described[]; querymodules?: Described[] }
}

export async function get(query: string): Promise<Answer> {
  const { statusCode, body } = await ask(path, { query })
  expect(statusCode).toBe(200)
  return JSON.parse(body) as Answer
}

export const form = { 'content-type': 'application/x-www-form-urlencoded' }

export async function post(body: string, query = ''): Promise<Answer> {
  const { statusCode, body: text } = await ask(path, { method: 'POST', query, headers: form, body })
  expect(statusCode).toBe(200)
  return JSON.parse(text) as Answer
}

/** The modules of a request in formatversion 2. */
export async function modulesOf(query: string): Promise<Described[]> {
  return (await get(`action=paraminfo&format=json&formatversion=2&${query}`)).paraminfo.modules ?? []
}

export const pathsOf = (modules: Described[] = []) => modules.map(module => module.path)
