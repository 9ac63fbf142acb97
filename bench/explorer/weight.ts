import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { explorerBundling } from '../../infra/build/explorer.ts'
import type { Catalogue } from '../../shared/catalogue/model.ts'
import { everything, handler, request } from '../catalogue/handlers.ts'

/** Bytes of something as it is transferred, and as it is. */
export type Weight = { br: number; gzip: number; plain: number }

const index = '/catalogue/explore'

const read = async (path: string): Promise<string> => (await handler(request(path, '', {}))).body

async function weigh(path: string): Promise<Weight> {
  const length = async (encoding: string) =>
    Number((await handler(request(path, '', { 'accept-encoding': encoding }))).headers['content-length'])
  return { br: await length('br'), gzip: await length('gzip'), plain: Buffer.byteLength(await read(path)) }
}

/** What every page loads: its script and its style sheet. */
export async function weighFiles(): Promise<{ script: Weight; style: Weight }> {
  const [, style = ''] = /<link rel="stylesheet" href="(.+?)">/.exec(await read(index)) ?? []
  const [, script = ''] = /<script type="module" src="(.+?)">/.exec(await read(index)) ?? []
  return { script: await weigh(script), style: await weigh(style) }
}

/** The index, and of modules and of sets the page that is the heaviest. */
export async function weighPages(): Promise<{ path: string; weight: Weight }[]> {
  const { modules, sets } = JSON.parse(await read(everything)) as Catalogue
  return [
    await heaviestOf([index]),
    await heaviestOf(modules.map(({ path }) => `${index}/${path}`)),
    await heaviestOf(sets.map(({ name }) => `${index}/sets/${name}`)),
  ]
}

async function heaviestOf(paths: readonly string[]): Promise<{ path: string; weight: Weight }> {
  const pages = await Promise.all(paths.map(async path => ({ path, weight: await weigh(path) })))
  return pages.reduce((heaviest, page) => (page.weight.br > heaviest.weight.br ? page : heaviest))
}

/** Whose a file of the script is, by its path, or by the name of its package. */
const parts: readonly [name: string, isIts: RegExp][] = [
  ['the validator', /^(?!.*\/explorer\/).*\/shared\//],
  ['the catalogue’s data', /^compact-catalogue$/],
  ['preact', /^preact/],
  ['the builder', /\/client\/builder\//],
  ['the forms to copy', /\/client\/copy\//],
  ['the check', /\/client\/(?:query|session)\//],
  ['the search', /\/client\/search\//],
]

/** What the script is lighter by without each part, and without those before it; the last is what is left then. */
export async function weighParts(): Promise<[name: string, weight: Weight][]> {
  const weights: [string, Weight][] = []
  let whole = await weighWithout([])
  for (const [position, [name]] of parts.entries()) {
    const rest = await weighWithout(parts.slice(0, position + 1).map(([, isIts]) => isIts))
    weights.push([name, { br: whole.br - rest.br, gzip: whole.gzip - rest.gzip, plain: whole.plain - rest.plain }])
    whole = rest
  }
  return [...weights, ['the rest', whole]]
}

async function weighWithout(left: readonly RegExp[]): Promise<Weight> {
  const leaveOut: Plugin = {
    name: 'leave-out',
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ path, resolveDir, kind }) => {
        const file = path.startsWith('.') ? new URL(path, `file://${resolveDir}/`).pathname : path
        const isLeft = kind !== 'entry-point' && left.some(pattern => pattern.test(file))
        return isLeft ? { path, external: true } : null
      }),
  }
  const { script } = explorerBundling.entryPoints
  const options: BuildOptions = {
    ...explorerBundling,
    entryPoints: { script },
    plugins: [leaveOut, ...explorerBundling.plugins],
  }
  const { outputFiles = [] } = await build({ ...options, write: false })
  const text = outputFiles[0]?.contents ?? new Uint8Array()
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
  return {
    br: brotliCompressSync(text, { params }).length,
    gzip: gzipSync(text, { level: 9 }).length,
    plain: text.length,
  }
}
