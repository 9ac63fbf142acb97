import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { ahead } from '../clock/date.cjs'
import type { Environment, Outcome } from './environment.ts'

/**
 * Lambda's Runtime API (version 2018-06-01) for all environments. The path begins with the environment's id, which is
 * random and secret.
 */
export function runtimeServer(find: (id: string) => Environment | undefined): Server {
  const server = createServer(async (request, response) => {
    const [, id = '', version, , ...path] = (request.url ?? '').split('/')
    const environment = find(id)
    if (!environment || version !== '2018-06-01') return void response.writeHead(404).end()
    try {
      await answer(environment, path, request, response)
    } catch {
      response.destroy()
    }
  })
  // An environment may be idle for any length of time.
  server.keepAliveTimeout = 0
  server.requestTimeout = 0
  return server
}

async function answer(
  environment: Environment,
  [kind, name, last]: string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (kind === 'invocation' && name === 'next') {
    return environment.next(({ requestId, event }) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'clock-ahead': String(ahead()),
        'lambda-runtime-aws-request-id': requestId,
        'lambda-runtime-deadline-ms': String(Date.now() + environment.timeout),
        'lambda-runtime-invoked-function-arn': environment.definition.arn,
      })
      response.end(event)
    })
  }
  const body = await text(request)
  if (kind === 'init') environment.failInit(JSON.parse(body))
  else if (name) environment.settle(name, last === 'response' ? toOutcome(body) : { error: JSON.parse(body) })
  response.writeHead(202).end()
}

/** Maximum bytes of an answer (AWS Lambda, "Lambda quotas"). */
const maxPayload = 6 * 1024 * 1024 + 100

const toOutcome = (payload: string): Outcome =>
  Buffer.byteLength(payload) <= maxPayload
    ? { payload }
    : { error: { errorType: 'Function.ResponseSizeTooLarge', errorMessage: 'Response payload size exceeded' } }
