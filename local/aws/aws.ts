import type { DataDirectory } from '../data-directory.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Observer } from '../observer.ts'
import type { Rest } from '../rest.ts'
import type { StackDefinition } from '../template/read-stack.ts'
import type { Deployment } from '../template/return-values.ts'
import { type Caller, issueCredentials } from './credentials.ts'
import { Faults } from './faults.ts'
import { awsFront } from './front.ts'
import type { KeyMaterials } from './key-materials.ts'
import { type KeyFaults, kms } from './kms.ts'
import { permissionsOf } from './permissions.ts'
import { startQueues } from './queues.ts'
import { ses, sesv2, suppressionList } from './ses.ts'
import { Tables } from './tables.ts'

interface AwsParts extends Awaited<ReturnType<typeof prepareAws>> {
  stack: StackDefinition
  deployment: Deployment
  callers: readonly Caller[]
  inbox: Inbox
  directory: DataDirectory
  keys: KeyMaterials
  keyFaults: KeyFaults
  enter: Parameters<typeof awsFront>[0]['enter']
  runs: Rest['runs']
  observer: Partial<Observer>
}

/** Starts the slow parts that need no stack. @param started collects them */
export async function prepareAws(directory: DataDirectory, started: AsyncDisposableStack) {
  const tables = new Tables(directory.at('tables'))
  started.defer(() => tables.close())
  const queues = startQueues(directory.at('queues'))
  // Deferred now, because the start may fail before the queues are ready.
  started.defer(() => queues.then(queues => queues.close()).catch(() => {}))
  return { tables, queues: await queues }
}

/** AWS's services for the resources of a stack, at one address. */
export async function startAws({
  tables,
  queues,
  stack,
  deployment,
  callers,
  inbox,
  directory,
  keys: materials,
  keyFaults,
  enter,
  runs,
  observer,
}: AwsParts) {
  queues.create(stack.queues)
  const [keys] = await Promise.all([kms(stack.keys, materials, keyFaults), tables.create(stack.tables)])
  const suppressed = suppressionList(directory.database, address => observer.suppressed?.(address))
  const credentials = issueCredentials(callers)
  const faults = new Faults()
  const front = awsFront({
    deployment,
    services: {
      dynamodb: tables.service,
      sqs: queues.service,
      kms: keys,
      ses: ses(inbox, suppressed),
      sesv2: sesv2(suppressed),
    },
    credentials,
    partitionKeyOf: arn =>
      stack.tables
        .find(({ name }) => deployment.arn('dynamodb', `table/${name}`) === arn)
        ?.KeySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName,
    permissions: permissionsOf([...callers, ...stack.invokers], stack, deployment),
    faults,
    enter,
    runs,
    onDenied: denial => observer.denied?.(denial),
    onInvalid: call => observer.invalid?.(call),
  })
  return { front, queues, credentials, faults, suppressed }
}
