import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { FunctionDefinition } from '../template/definitions.ts'
import type { Deployment } from '../template/return-values.ts'
import type { Caller, Credentials } from './credentials.ts'
import type { Faults } from './faults.ts'
import type { Permissions } from './permissions.ts'
import { type Need, protocols, type Refusal, type ServiceName, serviceOf } from './protocols.ts'
import { AwsError, type AwsReply, type AwsRequest, type Service } from './service.ts'
import { conflict } from './transaction-protocol.ts'

export interface MadeCall {
  caller: string
  action: string
  resource: string
  count: number
}

export interface Denial {
  caller: string
  action: string
  resource: string
  reason: string
}

interface Parts {
  deployment: Deployment
  services: Record<ServiceName, Service>
  credentials: Credentials
  permissions: Permissions
  faults: Faults
  onDenied(denial: Denial): void
}

/**
 * AWS's APIs on one address. The credential identifies the caller, and its scope the service. The service is called only
 * if IAM allows it.
 */
export class AwsFront {
  readonly #parts: Parts
  readonly #calls = new Map<string, MadeCall>()
  /** Whether an execution environment may write its log stream, by its id. */
  readonly #streams = new Map<string, Promise<boolean>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get calls(): MadeCall[] {
    return [...this.#calls.values()]
  }

  /** Answers a request; null if a fault loses the answer. */
  async answer(request: AwsRequest): Promise<AwsReply | null> {
    const [, accessKeyId = '', scope = ''] =
      /Credential=([^/,\s]+)\/\d{8}\/[^/]+\/([^/]+)\/aws4_request/.exec(request.headers.authorization ?? '') ?? []
    const service = serviceOf(scope, request)
    // No service is known, so any service's form of an error will do.
    if (!service) return protocols.dynamodb.render(new AwsError(403, 'MissingAuthenticationToken', 'Missing token'))
    const protocol = protocols[service]
    try {
      const caller = this.#parts.credentials.holder(accessKeyId)
      if (!caller) throw refusal(service, 'unknownKey', 'The security token included in the request is invalid.')
      return await this.serve(service, caller, request)
    } catch (error) {
      if (error instanceof AwsError) return protocol.render(error)
      return protocol.render(refusal(service, 'failed', 'Internal failure'))
    }
  }

  /** Serves the request of a known caller; null if a fault loses the answer. @throws {AwsError} */
  async serve(service: ServiceName, caller: Caller, request: AwsRequest): Promise<AwsReply | null> {
    const { deployment, services, faults } = this.#parts
    const call = protocols[service].read(request)
    const needs = protocols[service].needs(call, deployment)
    for (const need of needs) {
      const reason = await this.authorize(caller, need)
      if (reason !== null) throw refusal(service, 'denied', this.#denialMessage(caller, need, reason))
    }

    const found = faults.find(service, caller.label, call.action, needs)
    if (found?.fault.kind === 'throttle') throw refusal(service, 'throttled', 'Rate exceeded')
    if (found?.fault.kind === 'failure') throw refusal(service, 'failed', 'Internal failure')
    if (found?.fault.kind === 'conflict') throw conflict(call.action, found.hits)
    if (found?.fault.kind === 'slow') await wait(found.fault.milliseconds)
    if (found?.fault.kind === 'hang') await found.over
    const reply = await services[service](call)
    return found?.fault.kind === 'lost-answer' ? null : reply
  }

  /** Stands in for CloudWatch Logs: whether an environment of a function may write its lines. */
  mayLog(caller: FunctionDefinition, environment: string): Promise<boolean> {
    const stream = this.#streams.get(environment) ?? this.#openStream(caller)
    this.#streams.set(environment, stream)
    return stream
  }

  async #openStream(caller: FunctionDefinition): Promise<boolean> {
    const group = this.#parts.deployment.arn('logs', `log-group:${caller.logGroup}`)
    const created = { action: 'logs:CreateLogStream', resource: `${group}:*`, context: {} }
    // `any` stands for the stream's name.
    const written = { action: 'logs:PutLogEvents', resource: `${group}:log-stream:any`, context: {} }
    return (await this.authorize(caller, created)) === null && (await this.authorize(caller, written)) === null
  }

  /** Records an allowed call, and reports a denied one. @returns the reason if it is denied, else null */
  async authorize(caller: Caller, need: Need): Promise<string | null> {
    const { permissions, onDenied } = this.#parts
    const reason = await permissions.check(caller, need)
    if (reason === 'allowed') {
      this.#record(caller, need)
      return null
    }
    onDenied({ caller: caller.label, action: need.action, resource: need.resource, reason })
    return reason
  }

  #denialMessage(caller: Caller, { action, resource }: Need, reason: string): string {
    const user = this.#parts.permissions.principal(caller)
    return `User: ${user} is not authorized to perform: ${action} on resource: ${resource} because ${reason}`
  }

  #record(caller: Caller, { action, resource }: Need): void {
    const key = `${caller.label} ${action} ${resource}`
    const made = this.#calls.get(key)
    if (made) made.count++
    else this.#calls.set(key, { caller: caller.label, action, resource, count: 1 })
  }
}

function refusal(service: ServiceName, kind: Refusal, message: string): AwsError {
  const [status, code] = protocols[service].refusals[kind]
  return new AwsError(status, code, message)
}

/** The HTTP server of the APIs. It reads bodies completely first: dynalite crashes if a client disconnects in the middle. */
export function awsServer(answer: (request: AwsRequest) => Promise<AwsReply | null>): Server {
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    try {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const { method = '', url = '' } = request
      const [path = ''] = url.split('?', 1)
      const reply = await answer({ method, path, headers, body: await text(request) })
      if (reply === null) return void response.destroy()
      response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) })
      response.end(reply.body)
    } catch {
      response.destroy()
    }
  })
  // A function may reuse a kept connection at any time, and closing an idle one could break a request: 0 closes none.
  server.keepAliveTimeout = 0
  return server
}
