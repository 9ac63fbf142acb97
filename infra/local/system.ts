import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Settings } from '../settings.ts'
import { type Assembly, assemble } from './assembly.ts'
import { AwsFront, awsServer, type Denial, type MadeCall } from './aws-front.ts'
import type { ServiceName } from './aws-protocols.ts'
import { type Credential, Credentials } from './credentials.ts'
import { openDataDirectory } from './data-directory.ts'
import { EventSource } from './event-source.ts'
import { type Fault, Faults, type Restore, type Scope } from './faults.ts'
import { Functions } from './functions.ts'
import { type GatewayParts, gatewayServer, type Served } from './gateway.ts'
import { Routes } from './gateway-routes.ts'
import { Inbox } from './inbox.ts'
import { inboxServer } from './inbox-server.ts'
import { kms } from './kms.ts'
import { Permissions } from './permissions.ts'
import { type FunctionPlan, readPlan } from './plan.ts'
import { type QueuedMessage, startQueues } from './queues.ts'
import type { Place } from './resources.ts'
import { runtimeServer } from './runtime-api.ts'
import { ses } from './ses.ts'
import { StartError } from './start-error.ts'
import { Tables } from './tables.ts'

export interface Options {
  settings: Settings
  /** 0: any that is free. */
  port: number
  inboxPort: number
  host: string
  /** null: everything is kept in memory. */
  dataDirectory: string | null
  /** In place of the stack as these sources and settings make it. */
  assembly?: Assembly
  observer?: Partial<Observer>
}

/** Who is told what goes on. */
export interface Observer {
  served(served: Served): void
  logged(line: LogLine): void
  denied(denial: Denial): void
}

/** A line that a function has written. */
export interface LogLine {
  caller: string
  line: string
}

/** The system, running. */
export interface Running {
  baseUrl: string
  inboxUrl: string
  /** Where AWS's APIs are answered. */
  awsUrl: string
  inbox: Inbox
  /** The calls to AWS that functions have made and were allowed to. */
  readonly calls: readonly MadeCall[]
  /** Processes of functions. */
  readonly environments: readonly { caller: string; pid: number; state: string }[]
  credential(caller: string): Credential
  /** What lies on a queue, by its logical id. */
  messages(queue: string): QueuedMessage[]
  /** Puts AWS out of order, for tests. */
  disturb(service: ServiceName, fault: Fault, scope?: Scope): Restore
  stop(): Promise<void>
}

const region = 'us-east-1'
/** fauxqs knows no other. */
const accountId = '000000000000'

/** Runs the whole stack on this machine. @throws {StartError} */
export async function runStack(options: Options): Promise<Running> {
  const stack = new AsyncDisposableStack()
  try {
    return await run(options, stack)
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function run(options: Options, stack: AsyncDisposableStack): Promise<Running> {
  const { settings, host, observer = {} } = options
  const directory = openDataDirectory(options.dataDirectory)
  stack.defer(() => directory.close())
  const inbox = new Inbox(directory.database)

  let front: AwsFront | undefined
  let functions: Functions | undefined
  const gateway = Promise.withResolvers<GatewayParts>()
  const listening = async (server: Server, port: number, at: string, name: string): Promise<number> => {
    const chosen = await listen(server, port, at, name)
    stack.defer(() => close(server))
    return chosen
  }
  const port = await listening(gatewayServer(gateway.promise), options.port, host, 'PORT')
  const inboxPort = await listening(inboxServer(inbox, host), options.inboxPort, host, 'INBOX_PORT')
  const aws = awsServer(async request => (await front?.answer(request)) ?? null)
  const awsUrl = `http://127.0.0.1:${await listening(aws, 0, '127.0.0.1', '')}`
  const runtime = runtimeServer(id => functions?.find(id))
  const runtimeApi = `127.0.0.1:${await listening(runtime, 0, '127.0.0.1', '')}`

  const baseUrl = `http://localhost:${port}`
  const place: Place = {
    stackName: 'Gatehouse',
    accountId,
    region,
    baseUrl,
    awsUrl,
    arn: (service, resource) => `arn:aws:${service}:${region}:${accountId}:${resource}`,
  }
  const plan = readPlan(options.assembly ?? (await assemble(settings, directory.scratch)), place)

  const tables = new Tables(directory.at('tables'), plan.tables)
  stack.defer(() => tables.close())
  const [queues, keys] = await Promise.all([
    startQueues(plan.queues, directory.at('queues')),
    kms(plan.keys, directory.at('keys')),
    tables.ready(),
  ])
  stack.defer(() => queues.close())

  const credentials = new Credentials(plan.functions)
  const faults = new Faults()
  const services = { dynamodb: tables.service, sqs: queues.service, kms: keys, ses: ses(inbox) }
  const onDenied = (denial: Denial) => observer.denied?.(denial)
  front = new AwsFront({ place, services, credentials, permissions: new Permissions(plan, place), faults, onDenied })
  functions = new Functions(
    { region, awsUrl, runtimeApi },
    one => credentials.of(one),
    ({ label }, line) => observer.logged?.({ caller: label, line }),
  )
  const { answer } = { answer: front.answer.bind(front) }
  const invoke = functions.invoke.bind(functions)
  stack.defer(() => functions.stop())

  for (const mapping of plan.mappings) {
    const { consumer } = mapping
    const source = new EventSource({
      mapping,
      region,
      credential: credentials.of(consumer),
      answer,
      invoke: (event, patience) => invoke(consumer, event, patience),
    })
    stack.defer(() => source.stop())
  }
  gateway.resolve({
    routes: new Routes(plan.routes),
    cors: plan.cors,
    invoke,
    onServed: served => observer.served?.(served),
  })

  const named = (label: string): FunctionPlan => {
    const found = plan.functions.find(one => one.label === label)
    if (!found) throw new Error(`there is no function ${label}`)
    return found
  }
  let stopped: Promise<void> | undefined
  return {
    baseUrl,
    inboxUrl: `http://localhost:${inboxPort}`,
    awsUrl,
    inbox,
    get calls() {
      return front.calls
    },
    get environments() {
      return functions.environments.map(one => ({
        caller: one.plan.label,
        pid: one.process.pid ?? 0,
        state: one.state,
      }))
    },
    credential: caller => credentials.of(named(caller)),
    messages: queue => queues.messages(queue),
    disturb: (service, fault, scope) => faults.disturb(service, fault, scope),
    stop() {
      stopped ??= stack.disposeAsync()
      return stopped
    },
  }
}

async function listen(server: Server, port: number, host: string, setting: string): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE') throw new StartError(`port ${port} is in use; set ${setting} to another one`)
    if (code === 'EACCES') throw new StartError(`port ${port} may not be used; set ${setting} to one from 1024 on`)
    throw new StartError(`HOST ${host} cannot be listened on: ${String(error)}`)
  }
  return (server.address() as AddressInfo).port
}

async function close(server: Server): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve))
  server.closeAllConnections()
  await closed
}
