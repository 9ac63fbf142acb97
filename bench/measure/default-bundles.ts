import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { functionNames } from '../../api/route-keys.ts'
import type { FunctionName } from '../../api/routes.ts'
import { entries, entryName } from '../../infra/build/entries.ts'
import { bundleOf, bundling } from '../../infra/build/function-bundles.ts'
import { htmlPages } from '../../infra/build/html-page.ts'

/**
 * Bundles functions as the CDK's NodejsFunction does with only `bundleAwsSDK` set: CommonJS from the packages' main
 * files, neither minified nor shaken, for the runtime's version of Node
 * (aws-cdk-lib/aws-lambda-nodejs/lib/bundling.js). Plugins are added only where sources need them.
 *
 * @param folderOf the folder of our own bundle
 * @returns the folders of the bundles with their data, until the process ends
 */
export async function buildDefaults(
  folderOf: (name: FunctionName) => string = bundleOf,
): Promise<(name: FunctionName) => string> {
  const outdir = mkdtempSync(join(tmpdir(), 'gatehouse-default-'))
  process.on('exit', () => rmSync(outdir, { recursive: true }))
  const { absWorkingDir, define } = bundling
  await build({
    absWorkingDir,
    entryPoints: functionNames.map(name => ({ in: entryName(name), out: `${name}/index` })),
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // NodejsFunction writes index.js, which the nearest package.json would make a module here.
    outExtension: { '.js': '.cjs' },
    define,
    plugins: [entries, htmlPages],
    logLevel: 'error',
  })
  for (const name of functionNames) {
    cpSync(folderOf(name), join(outdir, name), { recursive: true, filter: file => !file.endsWith('.cjs') })
  }
  return name => join(outdir, name, 'index.cjs')
}
