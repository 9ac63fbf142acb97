// The bundle as it is deployed: one small file with the pack beside it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writePack } from '../../shared/catalogue/build/pack.ts'
import { ask, request } from '../support/catalogue.ts'

const folder = mkdtempSync(`${tmpdir()}/catalogue-`)
const bundle = `${folder}/catalogue.mjs`

beforeAll(async () => {
  writePack(pathToFileURL(`${folder}/`))
  const entry = new URL('../../functions/catalogue.ts', import.meta.url).pathname
  await build({ entryPoints: [entry], outfile: bundle, bundle: true, minify: true, format: 'esm', platform: 'node' })
})

afterAll(() => rmSync(folder, { recursive: true }))

test('the bundle answers from the pack beside it as the source does', async () => {
  const { handler } = await import(/* @vite-ignore */ bundle)
  for (const path of ['/catalogue', '/catalogue/modules', '/catalogue/query+search', '/catalogue/nowhere']) {
    const headers = { 'accept-encoding': 'br' }
    expect(await handler(request(path, { headers }))).toEqual(await ask(path, { headers }))
  }
  const options = { query: 'q=sha1', headers: { 'accept-encoding': 'gzip' } }
  expect(await handler(request('/catalogue/modules', options))).toEqual(await ask('/catalogue/modules', options))
})

test('the bundle imports nothing, so that it starts like an empty function', () => {
  const text = readFileSync(bundle, 'utf8')
  expect(text).not.toMatch(/\bimport\s*[{"'*(]|\brequire\(|\bfrom\s*["']/)
  expect(text.length).toBeLessThan(16 * 1024)
})
