import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundleOf, bundling } from '../infra/build/bundle.ts'
import { htmlPages } from '../infra/build/html-page.ts'
import { documentFile } from '../shared/api/openapi/served.ts'
import { packFile } from '../shared/catalogue/build/write-pack.ts'

/**
 * Bundles the functions as the CDK's NodejsFunction does with only `bundleAwsSDK` set: CommonJS from the main files of
 * packages, nothing minified or removed, for the runtime's version of Node
 * (aws-cdk-lib/aws-lambda-nodejs/lib/bundling.js). Only plugins that the sources need are added.
 *
 * @returns the file of a function's bundle
 */
export async function buildDefaultBundles(): Promise<(name: string) => string> {
  const outdir = mkdtempSync(join(tmpdir(), 'gatehouse-default-'))
  const { absWorkingDir, entryPoints, define } = bundling
  await build({
    absWorkingDir,
    entryPoints,
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
  for (const [name, file] of [
    ['catalogue', packFile],
    ['openapi', documentFile],
  ] as const)
    copyFileSync(join(bundleOf(name), file), join(outdir, name, file))
  return name => join(outdir, name, 'index.cjs')
}
