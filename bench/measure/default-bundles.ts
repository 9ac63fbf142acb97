import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { functionNames } from '../../api/route-keys.ts'
import type { FunctionName } from '../../api/routes.ts'
import { bundleOf, bundling } from '../../infra/build/function-bundles.ts'
import { htmlPages } from '../../infra/build/html-page.ts'

/**
 * Bundles the functions as the CDK's NodejsFunction does with only `bundleAwsSDK` set: CommonJS from the main files of
 * packages, nothing minified or removed, for the runtime's version of Node
 * (aws-cdk-lib/aws-lambda-nodejs/lib/bundling.js). Only plugins that the sources need are added.
 *
 * @param folderOf where our own bundle of a function lies
 * @returns where the bundle of a function lies, with what it reads beside it, until the process ends
 */
export async function buildDefaults(
  folderOf: (name: FunctionName) => string = bundleOf,
): Promise<(name: FunctionName) => string> {
  const outdir = mkdtempSync(join(tmpdir(), 'gatehouse-default-'))
  process.on('exit', () => rmSync(outdir, { recursive: true }))
  const { absWorkingDir, define } = bundling
  await build({
    absWorkingDir,
    entryPoints: functionNames.map(name => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // NodejsFunction writes index.js; here the nearest package.json would take that for a module.
    outExtension: { '.js': '.cjs' },
    define,
    plugins: [htmlPages],
    logLevel: 'error',
  })
  for (const name of functionNames) {
    cpSync(folderOf(name), join(outdir, name), { recursive: true, filter: file => !file.endsWith('.cjs') })
  }
  return name => join(outdir, name, 'index.cjs')
}
