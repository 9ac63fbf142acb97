import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'

const environmentSettings = join(import.meta.dirname, 'environment-settings.ts')

const core = '@smithy/core/dist-es/submodules'

/**
 * What the SDK carries for others and no function here can use, and what stands in its place. What each costs at a cold
 * start is in `docs/performance.md`. An import that finds nothing in its place fails the build.
 */
export const leftOut: Record<string, string> = {
  // No API in use streams events. What is imported dynamically, as this is alone, keeps the bundler from leaving out
  // anything that it shares with the rest.
  [`${core}/event-streams/index.js`]: 'export const EventStreamSerde = null, eventStreamSerdeProvider = null',
  // A function has no ~/.aws: what it is told stands in its environment.
  [`${core}/config/node-config-provider/configLoader.js`]: `export * from ${JSON.stringify(environmentSettings)}`,
  [`${core}/config/shared-ini-file-loader/loadSharedConfigFiles.js`]: `
    export const CONFIG_PREFIX_SEPARATOR = '.'
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} })`,
  // Nor is it on EC2, to ask about its region there.
  [`${core}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`]:
    'export const getInstanceMetadataRegion = async () => undefined',
  // No request or answer here is a stream of the web, or a blob; to look for them loads them.
  [`${core}/serde/util-stream/stream-type-check.js`]:
    'export const isReadableStream = () => false, isBlob = () => false',
  [`${core}/retry/middleware-retry/isStreamingPayload/isStreamingPayload.js`]:
    'export const isStreamingPayload = () => false',
  // Node has SHA-256 of its own.
  [`${core}/checksum/sha256/Sha256Js.js`]: 'export const Sha256Js = null',
  // Checksums of streams, by zlib.
  [`${core}/checksum/crc32/Crc32Node.js`]: 'export const Crc32Node = null',
  // DynamoDB in a region has one endpoint: it is nothing to discover.
  '@aws-sdk/endpoint-cache/dist-es/index.js': 'export class EndpointCache {}',
}

const client = '@aws-sdk/client-[a-z]+'

/** What is only thinned out: which modules, of what, and what stands in its place. */
export const thinned: readonly { of: RegExp; what: RegExp; by: string }[] = [
  // The class of each error that the service knows, and its shape: a hundred of them in `login`. An error whose class is
  // not there is one of the client's base class, by its own name, message and status: nothing here asks for more.
  {
    of: new RegExp(`^${client}/dist-es/schemas/schemas_0\\.js$`),
    what: /^n0_registry\.registerError\(.+\);$/gm,
    by: '',
  },
  // A client knows its version by its whole package.json.
  { of: new RegExp(`^${client}/package\\.json$`), what: /^\{.*?("version": "[^"]+").*\}\s*$/gs, by: '{ $1 }' },
]

const modules = /\/node_modules\/(@(?:smithy|aws-sdk)\/[\w-]+\/(?:dist-es\/.+|package\.json))$/

async function thin(name: string, path: string): Promise<string | null> {
  const rule = thinned.find(({ of }) => of.test(name))
  if (!rule) return null
  const whole = await readFile(path, 'utf8')
  const thin = whole.replace(rule.what, rule.by)
  if (thin === whole) throw new Error(`${name} has nothing to thin out`)
  return thin
}

/** Keeps the bundles of the SDK to what functions use. */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup({ onLoad, onResolve, resolve }) {
    // lib-dynamodb only defines things, as the SDK's other packages say of themselves: without a word of it every
    // function that shares a module with a DynamoDB client would carry 50 KB of it.
    onResolve({ filter: /^@aws-sdk\/lib-dynamodb$/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === leanSdk.name) return null
      const resolved = await resolve(path, { importer, resolveDir, kind, pluginData: leanSdk.name })
      return { path: resolved.path, sideEffects: false }
    })
    onLoad({ filter: modules }, async ({ path }) => {
      const [, name = ''] = modules.exec(path) ?? []
      const contents = leftOut[name] ?? (await thin(name, path))
      if (contents === null) return null
      return { contents, resolveDir: join(path, '..'), loader: path.endsWith('.json') ? 'json' : 'js' }
    })
  },
}
