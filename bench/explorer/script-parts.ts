import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { explorerBundling } from '../../infra/build/explorer.ts'
import type { Weight } from './weight.ts'

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
