import { registerHooks } from 'node:module'
// Must be imported before the address is changed, because it reads the address with its path.
import './rapid-client.mjs'

/**
 * Runs a function with AWS's own runtime client, the one in Lambda's Node runtimes, without its native part:
 * `rapid-client.mjs` replaces that.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './rapid-client.node'
      ? { url: new URL('rapid-client.mjs', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
})

// One server is the Runtime API of all environments here and tells them apart by path; AWS's client takes no path.
process.env.AWS_LAMBDA_RUNTIME_API = process.env.AWS_LAMBDA_RUNTIME_API?.split('/')[0]

await import('aws-lambda-ric')
