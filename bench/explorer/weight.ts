import type { Catalogue } from '../../shared/catalogue/model.ts'
import { everything } from '../catalogue/addresses.ts'
import { handler, request } from '../catalogue/handlers.ts'

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
