import type { Server } from 'node:http'
import { faultOfConfiguration, faultOfPath, faultOfRefusal } from '../api/authorization-faults.ts'
import { clientsBeside } from '../infra/build/lists.ts'
import type { Settings } from '../infra/settings/settings.ts'
import { providerContextKey } from '../shared/base/families.ts'
import { openAccounts } from './accounts-file.ts'
import { prepareAws, startAws } from './aws/aws.ts'
import type { Caller } from './aws/credentials.ts'
import { awsServer } from './aws/front.ts'
import { keyIds } from './aws/key-ids.ts'
import { keyMaterials } from './aws/key-materials.ts'
import { encryptAhead, type KeyFaults } from './aws/kms.ts'
import { openClock } from './clock/clock.ts'
import { openDataDirectory } from './data-directory.ts'
import { exampleClient, exampleEntry, exampleServer } from './example.ts'
import { type GatewayParts, gatewayServer } from './gateway/gateway.ts'
import { routeFinder } from './gateway/routes.ts'
import { Inbox } from './inbox/inbox.ts'
import { type Control, inboxServer } from './inbox/server.ts'
import { pollQueue } from './lambda/event-source.ts'
import { runFunctions } from './lambda/functions.ts'
import { runtimeServer } from './lambda/runtime-api.ts'
import { close, listen } from './network.ts'
import { operatorFileName, operatorOf, writeOperatorFile } from './operator.ts'
import type { Options } from './options.ts'
import { reloader } from './reload.ts'
import { refuseHalfReset, resetOf } from './reset.ts'
import { Rest } from './rest.ts'
import { nameSourceMaps } from './source-maps.ts'
import { InUseError, StartError } from './start-error.ts'
import { type Assembly, makeMaps, startAssembler, usualBuild } from './template/assembly.ts'
import { type FunctionDefinition, readStack, type StackDefinition } from './template/read-stack.ts'
import type { Deployment } from './template/return-values.ts'
import { watchFiles, watchSources } from './watch.ts'

/** fauxqs supports no other account. */
const account = { accountId: '000000000000', region: 'us-east-1' }

/** Runs the stack on this machine. @throws {StartError} */
export async function runStack(options: Options) {
  await using started = new AsyncDisposableStack()
  const running = await start(options, started)
  const all = started.move()
  let stopped: Promise<void> | undefined
  return Object.assign(running, { stop: () => (stopped ??= all.disposeAsync()) })
}

export type Running = Awaited<ReturnType<typeof runStack>>

/** @param started collects what has been started, to stop it in reverse order */
async function start(options: Options, started: AsyncDisposableStack) {
  const { host, observer = {}, build = usualBuild, browserUrl, blocklistUrl, certificate = null, signal } = options
  const local = { browserUrl, blocklistUrl }
  const taken: string[] = []
  /** Continues after a port in use, so that all such ports are named at once. */
  const orElse = <T>(error: unknown, instead: () => T): T => {
    if (!(error instanceof InUseError)) throw error
    taken.push(...error.taken)
    return instead()
  }
  const open = async (server: Server, host: string, port = 0, setting?: string): Promise<number> => {
    try {
      const listening = await listen(server, host, port, setting)
      started.defer(() => close(server))
      return listening
    } catch (error) {
      return orElse(error, () => port)
    }
  }
  const openDirectory = () => {
    try {
      return openDataDirectory(options.dataDirectory, reason => observer.lost?.(reason))
    } catch (error) {
      return orElse(error, () => openDataDirectory(null))
    }
  }
  const assembler = options.assembly ? null : (options.assembler ?? startAssembler(build, signal, observer.building))
  started.defer(() => assembler?.stop())
  const directory = openDirectory()
  started.defer(() => directory.close())
  refuseHalfReset(directory.database)
  const clock = openClock(directory.database)
  started.defer(clock.close)
  const inbox = new Inbox(directory.database)

  // First, so that a port in use is reported at once. Requests wait until the system is ready.
  const { promise: gatewayParts, resolve: openGateway } = Promise.withResolvers<GatewayParts>()
  const gateway = gatewayServer(gatewayParts, certificate)
  const baseUrl = `${certificate ? 'https' : 'http'}://localhost:${await open(gateway, host, options.port, 'PORT')}`
  const publicUrl = options.publicUrl || baseUrl
  const { promise: control, resolve: openControl } = Promise.withResolvers<Control>()
  const inboxPage = inboxServer(inbox, control, [host, new URL(publicUrl).hostname])
  const inboxUrl = `http://localhost:${await open(inboxPage, host, options.inboxPort, 'INBOX_PORT')}`
  started.defer(inbox.onArrival(mail => observer.mailed?.(mail, inboxUrl)))
  const example = exampleClient([publicUrl, ...(browserUrl ? [browserUrl] : [])])
  const examplePort =
    typeof options.providerPort === 'number'
      ? await open(exampleServer(example), host, options.providerPort, 'PROVIDER_PORT')
      : null
  if (taken.length > 0) throw new InUseError(taken)
  const loopback = '127.0.0.1'
  const aws = awsServer(request => front.answer(request))
  const awsUrl = `http://${loopback}:${await open(aws, loopback)}`
  const runtime = runtimeServer(id => functions.find(id))
  const runtimeApi = `${loopback}:${await open(runtime, loopback)}`

  const deployment: Deployment = {
    ...account,
    stackName: 'Gatehouse',
    baseUrl: publicUrl,
    awsUrl,
    arn: (service, resource) => `arn:aws:${service}:${account.region}:${account.accountId}:${resource}`,
    keyId: keyIds(directory.at('keys')),
  }
  const keys = keyMaterials(directory.at('keys'))
  const encrypt = (provider: string, secret: string) =>
    encryptAhead(secret, 'ProviderKey', { [providerContextKey]: provider }, deployment, keys)
  const own = examplePort === null ? {} : { SIGN_IN_PROVIDERS: [await exampleEntry(examplePort, example, encrypt)] }
  const settings: Settings = { ...options.settings, ...own }
  const [assembly, prepared] = await Promise.all([
    assembler?.assemble(settings, directory.scratch, local) ?? (options.assembly as Assembly),
    prepareAws(directory, started),
  ])
  const stack = readStack(assembly, deployment)
  const inspected = options.inspect === undefined ? undefined : functionNamed(options.inspect, stack)
  if (inspected) {
    await makeMaps(inspected.label, build)
    nameSourceMaps(inspected.codeDirectory, build, inspected.label)
  }
  const operator = operatorOf(assembly, deployment)
  const callers = [...stack.functions, operator]

  const keyFaults: KeyFaults = new Map()
  const rest = new Rest()
  /** Functions call only while the system goes on. */
  const enter = async (caller: Caller) => caller !== operator || rest.enter()
  const runs: Rest['runs'] = work => rest.runs(work)
  const parts = { ...prepared, stack, deployment, callers, inbox, directory, keys, keyFaults, enter, runs, observer }
  const { front, queues, credentials, faults, suppressed } = await startAws(parts)
  const functions = runFunctions({
    region: account.region,
    awsUrl,
    runtimeApi,
    credentialOf: holder => credentials.of(holder),
    runs,
    onLine(caller, environment, line) {
      if (front.mayLog(caller, environment)) observer.logged?.({ caller: caller.label, line })
    },
    ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
    ...(options.environments !== undefined && { environments: options.environments }),
    ...(options.runtimeClient !== undefined && { runtimeClient: options.runtimeClient }),
    inspected,
  })
  started.defer(() => functions.stop())

  for (const mapping of stack.mappings) {
    const stopPolling = pollQueue({
      mapping,
      region: account.region,
      sqs: request => front.serve('sqs', mapping.consumer, request),
      invoke: (event, signal) => functions.invoke(mapping.consumer, event, signal),
      rest,
    })
    started.defer(stopPolling)
  }
  if (options.watch) {
    const { scratch } = directory
    const { files = new Map<string, string>(), read = () => options.settings } = options.lists ?? {}
    const reload = reloader({
      ...{ settings, build, local, scratch, stack, deployment, functions, inspected, observer },
      readAgain: () => ({ ...read(), ...own }),
    })
    started.defer(reload.stop)
    started.defer(watchSources(reload.changed))
    const nameOf = (path: string) => [...files].find(([, each]) => each === path)?.[0] ?? path
    started.defer(watchFiles([...files.values()], paths => reload.changedLists(paths.map(nameOf))))
  }
  const operatorFile = directory.at(operatorFileName)
  const inform = () =>
    operatorFile && writeOperatorFile(operatorFile, assembly, deployment, credentials.of(operator), clock.ahead())
  const forget = inform()
  if (forget) started.defer(forget)
  if (options.accountsFile && options.dataDirectory !== null) {
    const { accountsFile, dataDirectory } = options
    const circumstances = { dataDirectory, bcryptCost: settings.BCRYPT_COST, signal }
    observer.seeded?.(await openAccounts(accountsFile, circumstances))
  }
  const reset = await resetOf({ ...prepared, queues, suppressed, inbox, clock, database: directory.database })
  const mapped = new Set(stack.mappings.map(({ queue }) => queue.name))
  const pending = {
    waiting: () => [...mapped].reduce((sum, name) => sum + queues.waiting(name), 0),
    endDelays: queues.endDelays,
  }
  /** A debugger may stop a function for any length of time. */
  const whileHeld = () => {
    const held = functions.underDebugger()
    return held === null ? null : `${held} is under a debugger`
  }
  openControl({
    ahead: clock.ahead,
    async advance(seconds) {
      const held = whileHeld()
      if (held !== null) return held
      return rest.change(async () => {
        clock.set(clock.ahead() + seconds)
        await prepared.tables.expire(Math.floor(Date.now() / 1000))
        inform()
        if (seconds > 0) observer.moved?.(clock.ahead())
        return null
      }, pending)
    },
    async reset() {
      const held = whileHeld()
      if (held !== null) return held
      return rest.change(async () => {
        const accounts = await reset()
        if (accounts === null) return 'There were more than 5,000 items here at the start: use a new DATA_DIR for tests'
        rest.drop()
        inform()
        observer.reset?.(accounts)
        return null
      })
    },
  })
  const pages = stack.functions.find(({ label }) => label === 'pages')
  /** Read each time: a reload brings another list. */
  const applications = () => (pages ? clientsBeside(pages.codeDirectory) : [])
  // Closed first, so that no request reaches a half-stopped system.
  started.defer(() => close(gateway))
  openGateway({
    findRoute: routeFinder(stack.routes),
    cors: stack.cors,
    enter: () => rest.enter(),
    invoke: async (target, event, signal) =>
      front.mayInvoke(target) ? functions.invoke(target.definition, event, signal) : 'denied',
    onServed(served, exchange) {
      observer.served?.(served)
      const { method, path, status } = served
      const find = () => {
        if (method === 'GET') return faultOfConfiguration(path, exchange.query, applications())
        return status < 400 || status >= 500 ? null : faultOfRefusal(path, exchange, applications())
      }
      const fault = faultOfPath(path, `${publicUrl}/auth`) ?? find()
      if (fault !== null) observer.misconfigured?.(fault)
    },
  })

  return {
    /** The API's address on this machine, without a trailing slash. */
    baseUrl,
    /** The API's address for clients. */
    publicUrl,
    /** The address of the pages. */
    pagesUrl: browserUrl || publicUrl,
    /** The file of the certificate that the API speaks TLS with. */
    certificateFile: certificate?.file ?? null,
    inboxUrl,
    /** Seconds by which the clock is ahead of the machine's. */
    ahead: clock.ahead(),
    /** The address of the provider "Example", if there is one. */
    exampleUrl: examplePort === null ? null : `http://localhost:${examplePort}`,
    /** The address of the stand-ins for AWS's APIs. */
    awsUrl,
    inbox,
    /** The functions' calls to AWS that were allowed. */
    get calls() {
      return front.calls()
    },
    get environments() {
      return functions.environments.map(({ definition: { label }, process: { pid = 0 }, state }) => ({
        caller: label,
        pid,
        state,
      }))
    },
    /** The credential that a function signs its calls with. */
    credential: (caller: string) => credentials.of(callers.find(({ label }) => label === caller) as Caller),
    /** Replaces a function's code from its next invocation on. */
    replaceCode: (caller: string, codeDirectory: string) =>
      functions.replaceCode(functionNamed(caller, stack), codeDirectory),
    /** All items of the tables, by the table's logical id. */
    items: () => prepared.tables.read(),
    /** The messages on a queue, by the queue's logical id. */
    messages: queues.messages,
    /** Makes delayed messages visible. */
    endDelays: queues.endDelays,
    /** Makes calls to AWS fail. Only the code that runs the system can do this; requests cannot. */
    disturb: faults.disturb.bind(faults),
    /** Unusable keys, by id: likewise. */
    keyFaults,
  }
}

function functionNamed(label: string, { functions }: StackDefinition): FunctionDefinition {
  const found = functions.find(definition => definition.label === label)
  if (found) return found
  throw new StartError(
    `there is no function '${label}': --inspect takes ${functions.map(({ label }) => label).join(', ')}`,
  )
}
