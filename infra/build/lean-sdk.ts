import { join } from 'node:path'
import type { Plugin } from 'esbuild'

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
  // Checksums of streams, by zlib.
  [`${core}/checksum/crc32/Crc32Node.js`]: 'export const Crc32Node = null',
  // DynamoDB in a region has one endpoint: it is nothing to discover.
  '@aws-sdk/endpoint-cache/dist-es/index.js': 'export class EndpointCache {}',
}

const modules = /\/node_modules\/(@(?:smithy|aws-sdk)\/[\w-]+\/dist-es\/.+)$/

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
    onLoad({ filter: modules }, ({ path }) => {
      const [, name = ''] = modules.exec(path) ?? []
      const contents = leftOut[name]
      return contents === undefined ? null : { contents, resolveDir: join(path, '..') }
    })
  },
}
