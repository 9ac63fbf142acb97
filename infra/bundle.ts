import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { consumers, routes } from '../shared/routes.ts'

const root = join(import.meta.dirname, '..')

/** Where the bundle of a function lies: a folder with its `index.cjs`. */
export const bundleOf = (name: string): string => join(root, 'dist', 'functions', name)

/** Every function there is: the name of its file in `functions/`. */
export const functionNames: readonly string[] = [...Object.keys(routes), ...Object.keys(consumers)]

/**
 * Bundles all functions by one call of esbuild.
 *
 * As CommonJS: an ES module that imports `node:http` loads undici too (nodejs/node#59686), 12 to 14 ms of CPU at every
 * cold start. Without source maps: they cost as much, and minified names do not hide the messages that are logged.
 *
 * @returns bytes by function name
 */
export async function bundle(): Promise<Map<string, number>> {
  rmSync(join(root, 'dist', 'functions'), { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: functionNames.map(name => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    outdir: 'dist/functions',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    legalComments: 'none',
    logLevel: 'warning',
    alias: { '@aws-sdk/credential-provider-node': './infra/environment-credentials.ts' },
  })
  return new Map(
    Object.entries(metafile.outputs).map(([file, { bytes }]) => [dirname(file).replace('dist/functions/', ''), bytes]),
  )
}

if (import.meta.main) {
  for (const [name, bytes] of await bundle())
    console.log(`${name.padEnd(22)}${(bytes / 1024).toFixed(1).padStart(7)} KB`)
}
