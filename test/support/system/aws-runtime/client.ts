import { registerHooks } from 'node:module'
// Before the address is changed: it reads the whole of it.
import './rapid-client.ts'

/**
 * Runs a function by AWS's own runtime client, the one that Lambda's Node runtimes contain, without its native part: what
 * asks for that gets `rapid-client.ts`.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './rapid-client.node'
      ? { url: new URL('rapid-client.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
})

// Here one server is the Runtime API of all environments, and the path says of which. AWS's client knows host and port.
process.env.AWS_LAMBDA_RUNTIME_API = process.env.AWS_LAMBDA_RUNTIME_API?.split('/')[0]

// @ts-expect-error: it has no types, and nothing is taken from it
await import('aws-lambda-ric')
