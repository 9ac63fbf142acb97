import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Rest } from '../rest.ts'
import { type FunctionDefinition, gatewayLabel, type RouteTarget } from '../template/read-stack.ts'
import type { Deployment } from '../template/return-values.ts'
import type { Caller, issueCredentials } from './credentials.ts'
import type { Faults } from './faults.ts'
import type { Need } from './iam.ts'
import type { permissionsOf } from './permissions.ts'
import { protocols, type Refusal, type ServiceName, serviceOf } from './protocols.ts'
import { AwsError, type AwsReply, type AwsRequest, type Service } from './service.ts'
import { conflict } from './transaction-protocol.ts'

interface Call {
  caller: string
  action: string
  resource: string
  /** The patterns in policies that match its items' keys. */
  keys: string
}
/** @property attributes what its updates name */
export type MadeCall = Call & { count: number; attributes: Set<string> }
export type Denial = Call & { reason: string }
/** A call that DynamoDB refuses, whatever its items are. */
export type InvalidCall = Omit<Denial, 'resource' | 'keys'>

interface Parts {
  deployment: Deployment
  partitionKeyOf: Parameters<(typeof protocols)['dynamodb']['needs']>[2]
  services: Record<ServiceName, Service>
  credentials: ReturnType<typeof issueCredentials>
  permissions: ReturnType<typeof permissionsOf>
  faults: Faults
  /** Waits while the system is at rest, if the caller can call then. @returns whether it goes on in time */
  enter(caller: Caller): Promise<boolean>
  /** Counts a call. */
  runs: Rest['runs']
  onDenied(denial: Denial): void
  onInvalid(invalid: InvalidCall): void
}

/**
 * AWS's APIs at one address. The credential identifies the caller, and its scope the service. The service is called
 * only if IAM allows it.
 */
export function awsFront({
  deployment,
  partitionKeyOf,
  services,
  credentials,
  permissions,
  faults,
  enter,
  runs,
  onDenied,
  onInvalid,
}: Parts) {
  const calls = new Map<string, MadeCall>()
  /** Whether an execution environment may write its log stream, by id. */
  const streams = new Map<string, boolean>()

  /** Answers a request; null if a fault loses the answer. */
  async function answer(request: AwsRequest): Promise<AwsReply | null> {
    const [, accessKeyId = '', scope = ''] =
      /Credential=([^/,\s]+)\/\d{8}\/[^/]+\/([^/]+)\/aws4_request/.exec(request.headers.authorization ?? '') ?? []
    const service = serviceOf(scope, request)
    // Without a known service, any service's form of an error will do.
    if (!service) return protocols.dynamodb.render(new AwsError(403, 'MissingAuthenticationToken', 'Missing token'))
    try {
      const caller = credentials.holder(accessKeyId)
      if (!caller) throw refusal(service, 'unknownKey', 'The security token included in the request is invalid.')
      if (!(await enter(caller))) throw new AwsError(503, 'ServiceUnavailable', 'The system is at rest')
      return await runs(serve(service, caller, request))
    } catch (error) {
      const known = error instanceof AwsError ? error : refusal(service, 'failed', 'Internal failure')
      return protocols[service].render(known)
    }
  }

  /** Serves the request of a known caller; null if a fault loses the answer. @throws {AwsError} */
  async function serve(service: ServiceName, caller: Caller, request: AwsRequest): Promise<AwsReply | null> {
    const call = protocols[service].read(request)
    const needs = protocols[service].needs(call, deployment, partitionKeyOf)
    for (const need of needs) {
      const reason = authorize(caller, need)
      if (reason === null) continue
      const what = `perform: ${need.action} on resource: ${need.resource} because ${reason}`
      throw refusal(service, 'denied', `User: ${permissions.principal(caller)} is not authorized to ${what}`)
    }

    const found = faults.find(service, caller.label, call.action, needs)
    if (found?.fault.kind === 'throttle') throw refusal(service, 'throttled', 'Rate exceeded')
    if (found?.fault.kind === 'failure') throw refusal(service, 'failed', 'Internal failure')
    if (found?.fault.kind === 'conflict') throw conflict(call.action, found.hits)
    if (found?.fault.kind === 'slow') await wait(found.fault.milliseconds)
    if (found?.fault.kind === 'hang') await found.over
    const reply = await services[service](call)
    const reason = service === 'dynamodb' ? invalidity(reply) : null
    if (reason !== null) onInvalid({ caller: caller.label, action: call.action, reason })
    return found?.fault.kind === 'lost-answer' ? null : reply
  }

  /** Stands in for CloudWatch Logs: whether a function's environment may write its lines. */
  function mayLog(caller: FunctionDefinition, environment: string): boolean {
    const stream = streams.get(environment) ?? openStream(caller)
    streams.set(environment, stream)
    return stream
  }

  function openStream(caller: FunctionDefinition): boolean {
    const group = deployment.arn('logs', `log-group:${caller.logGroup}`)
    const created = { action: 'logs:CreateLogStream', resource: `${group}:*`, context: {} }
    // `any` stands for the stream's name.
    const written = { action: 'logs:PutLogEvents', resource: `${group}:log-stream:any`, context: {} }
    return authorize(caller, created) === null && authorize(caller, written) === null
  }

  /** Stands in for API Gateway's own calls: whether it may assume a route's role, and invoke the function with it. */
  function mayInvoke({ definition, invoker, source }: RouteTarget): boolean {
    const assumed = { action: 'sts:AssumeRole', resource: invoker.arn, context: { 'aws:SourceArn': source } }
    const invoked = { action: 'lambda:InvokeFunction', resource: definition.arn, context: {} }
    return authorize(apiGateway, assumed) === null && authorize(invoker, invoked) === null
  }

  /** Records an allowed call, and reports a denied one. @returns the reason for a denial, else null */
  function authorize(caller: Caller, need: Need): string | null {
    const reason = permissions.check(caller, need)
    const { action, resource, context } = need
    const keys = permissions.keysOf(context).join(' ')
    const call = { caller: caller.label, action, resource, keys }
    if (reason !== 'allowed') {
      onDenied({ ...call, reason })
      return reason
    }
    const key = JSON.stringify(call)
    const made = calls.get(key) ?? { ...call, count: 0, attributes: new Set() }
    made.count++
    for (const name of context['dynamodb:Attributes'] ?? []) made.attributes.add(name)
    calls.set(key, made)
    return null
  }

  return { answer, serve, mayLog, mayInvoke, calls: (): readonly MadeCall[] => [...calls.values()] }
}

const apiGateway: Caller = {
  label: gatewayLabel,
  name: gatewayLabel,
  service: 'apigateway.amazonaws.com',
  role: '',
  policies: [],
}

/** DynamoDB's complaint about an invalid call, else null. Such a call is a bug, and functions log only its name. */
function invalidity({ status, body }: AwsReply): string | null {
  const { __type, message } = status === 400 ? JSON.parse(body) : {}
  return /#ValidationException$/.test(__type) ? message : null
}

function refusal(service: ServiceName, kind: Refusal, message: string): AwsError {
  const [status, code] = protocols[service].refusals[kind]
  return new AwsError(status, code, message)
}

/** The HTTP server of the APIs. It reads whole bodies first: dynalite crashes if a client disconnects in the middle. */
export function awsServer(answer: (request: AwsRequest) => Promise<AwsReply | null>): Server {
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    try {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const { method = '', url = '' } = request
      const [path = ''] = url.split('?', 1)
      const reply = await answer({ method, path, headers, body: await text(request) })
      if (reply === null) return void response.destroy()
      // The time that commands go by.
      response.setHeader('date', new Date().toUTCString())
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
