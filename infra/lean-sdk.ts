import type { Plugin } from 'esbuild'

/**
 * Tells the bundler that lib-dynamodb only defines things, as the SDK's other packages say of themselves: without it
 * every function that shares a module with a DynamoDB client would carry 50 KB of it.
 */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^@aws-sdk\/lib-dynamodb$/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === leanSdk.name) return null
      const resolved = await resolve(path, { importer, resolveDir, kind, pluginData: leanSdk.name })
      return { path: resolved.path, sideEffects: false }
    })
  },
}
