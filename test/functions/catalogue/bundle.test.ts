// The deployed bundle: one small file beside the pack, which has all prebuilt answers.
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Context } from 'aws-lambda'
import { expect, test } from 'vitest'
import type { handler as Handler } from '../../../functions/catalogue.ts'
import { bundleOf } from '../../../infra/build/function-bundles.ts'
import { ask, request } from '../../support/catalogue/served.ts'

const context = {} as Context
const file = `${bundleOf('catalogue')}/index.cjs`

test('the bundle answers from the pack beside it as the source does', async () => {
  const { handler } = createRequire(import.meta.url)(file) as { handler: typeof Handler }
  const paths = ['', '/modules', '/query+search', '/query+search/schema', '/export/query-modules.d.ts', '/nowhere']
  for (const path of paths.map(path => `/catalogue${path}`)) {
    const headers = { 'accept-encoding': 'br' }
    expect(await handler(request(path, { headers }), context)).toEqual(await ask(path, { headers }))
  }
  const asked = { query: `query=${encodeURIComponent('prop=info&limit=x')}` }
  expect(await handler(request('/catalogue/validate', asked), context)).toEqual(await ask('/catalogue/validate', asked))
  const options = { query: 'q=sha1', headers: { 'accept-encoding': 'gzip' } }
  expect(await handler(request('/catalogue/modules', options), context)).toEqual(
    await ask('/catalogue/modules', options),
  )
})

test('the bundle is small, and loads no more of Node than an empty function', () => {
  // A quarter of it is the table of refusals.
  expect(statSync(file).size).toBeLessThan(18 * 1024)
  const loadedBy = (script: string) =>
    new Set(JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })) as string[])
  const print = 'process.stdout.write(JSON.stringify(process.moduleLoadList))'
  const first = JSON.stringify(request('/catalogue/modules/query+allpages', { headers: { 'accept-encoding': 'br' } }))
  const empty = loadedBy(print)
  const catalogue = loadedBy(`require(${JSON.stringify(file)}).handler(${first}).then(() => ${print})`)
  expect([...catalogue].filter(module => !empty.has(module))).toEqual([])
})
