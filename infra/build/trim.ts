import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { paths } from '../../api/paths.ts'
import { functions, routes, servedMembers } from '../../api/routes.ts'

const environmentSettings = join(import.meta.dirname, 'environment-settings.ts')

const core = '@smithy/core/dist-es/submodules'

/**
 * Modules of the SDK that no function here can use, each with its replacement: together a tenth of the CPU of a cold start.
 * The build fails when another module imports a name that the replacement does not export.
 */
export const replacedModules: Record<string, string> = {
  // No API in use streams events. This is the SDK's only dynamic import: esbuild keeps everything that a dynamically
  // imported module shares with the rest.
  [`${core}/event-streams/index.js`]: 'export const EventStreamSerde = null, eventStreamSerdeProvider = null',
  // A function has no ~/.aws: all its settings are in its environment.
  [`${core}/config/node-config-provider/configLoader.js`]: `export * from ${JSON.stringify(environmentSettings)}`,
  [`${core}/config/shared-ini-file-loader/loadSharedConfigFiles.js`]: `
    export const CONFIG_PREFIX_SEPARATOR = '.'
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} })`,
  // A function does not run on EC2, so it cannot ask there for its region.
  [`${core}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`]:
    'export const getInstanceMetadataRegion = async () => undefined',
  // No request or answer here is a web stream or a blob, and checking for them loads their classes.
  [`${core}/serde/util-stream/stream-type-check.js`]:
    'export const isReadableStream = () => false, isBlob = () => false',
  [`${core}/retry/middleware-retry/isStreamingPayload/isStreamingPayload.js`]:
    'export const isStreamingPayload = () => false',
  // No client has a logger, but each call would copy its input and its output for it, without secrets.
  '@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js': `
    export const getLoggerPlugin = () => ({ applyToStack() {} })
    export const loggerMiddleware = null, loggerMiddlewareOptions = null`,
  // Node has its own SHA-256.
  [`${core}/checksum/sha256/Sha256Js.js`]: 'export const Sha256Js = null',
  // CRC-32 of streams, with zlib: no API in use needs it.
  [`${core}/checksum/crc32/Crc32Node.js`]: 'export const Crc32Node = null',
  // DynamoDB has one endpoint per region: there is nothing to discover.
  '@aws-sdk/endpoint-cache/dist-es/index.js': 'export class EndpointCache {}',
}

const schemas = '@aws-sdk/client-[a-z]+/dist-es/schemas/schemas_0\\.js'
const description = '@(?:smithy|aws-sdk)/[\\w-]+/package\\.json'
const replaced = Object.keys(replacedModules).map(name => name.replaceAll('.', '\\.'))

/** The changed modules and no others: esbuild waits for an answer to each match. */
const modules = new RegExp(`/node_modules/(${[schemas, description, ...replaced].join('|')})$`)

/** What takes the place of a module of the SDK. */
async function replacementOf(name: string, path: string): Promise<string> {
  const replacement = replacedModules[name]
  if (replacement !== undefined) return replacement
  // A client imports its package.json for the version alone.
  if (name.endsWith('/package.json'))
    return JSON.stringify({ version: JSON.parse(await readFile(path, 'utf8')).version })
  // The class and schema of each error of the service: a hundred in `login`. Without its class, an error is an instance
  // of the client's base class with the same name, message and status. Nothing here needs more.
  const source = await readFile(path, 'utf8')
  const trimmed = source.replace(/^n0_registry\.registerError\(.+\);$/gm, '')
  if (trimmed === source) throw new Error(`trim-sdk: ${name} registers no errors`)
  return trimmed
}

/** Leaves out of the bundles what the functions do not use of the SDK. */
export const trimSdk: Plugin = {
  name: 'trim-sdk',
  setup({ onLoad, onResolve, resolve }) {
    // lib-dynamodb has no side effects, but its package.json does not say so: every function that shares a module with a
    // DynamoDB client would carry 50 KB of it.
    onResolve({ filter: /^@aws-sdk\/lib-dynamodb$/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === trimSdk.name) return null
      const resolved = await resolve(path, { importer, resolveDir, kind, pluginData: trimSdk.name })
      return { path: resolved.path, sideEffects: false }
    })
    onLoad({ filter: modules }, async ({ path }) => {
      const [, name = ''] = modules.exec(path) ?? []
      const contents = await replacementOf(name, path)
      return { contents, resolveDir: join(path, '..'), loader: path.endsWith('.json') ? 'json' : 'js' }
    })
  },
}

/**
 * The route table as JSON: the rows that `endpoint()` serves, each with the members that functions read while they serve. The
 * functions of several rows read none of them.
 */
function served(table: Record<string, object>): string {
  const endpoints = Object.entries(table).filter(([, row]) => !('function' in row))
  const rows = endpoints.map(([name, row]): [string, object] => [
    name,
    Object.fromEntries(Object.entries(row).filter(([member]) => servedMembers.some(known => known === member))),
  ])
  return JSON.stringify(Object.fromEntries(rows))
}

/** Leaves out what only the stack, the documents and the tests read of the route table: most of its bytes. Writes out its paths. */
export const trimRoutes: Plugin = {
  name: 'trim-routes',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]api[\\/]routes\.ts$/ }, () => ({
      contents: `export const routes = ${served(routes)}\nexport const functions = ${served(functions)}`,
    }))
    // The import leaves nothing in the bundle, but says what it is made of.
    onLoad({ filter: /[\\/]api[\\/]paths\.ts$/ }, ({ path }) => ({
      contents: `import './routes.ts'; export const paths = ${JSON.stringify(paths)}`,
      resolveDir: dirname(path),
    }))
  },
}

/** Leaves out what only documents read of the forms of hashes. */
export const trimForms: Plugin = {
  name: 'trim-forms',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]accounts[\\/]password[\\/]forms\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/^ {4}(?:written|by): (['"]).+\1,$/gm, ''),
      loader: 'ts',
    }))
  },
}
