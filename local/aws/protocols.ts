import { randomUUID } from 'node:crypto'
import { decoded } from '../network.ts'
import type { Deployment } from '../template/return-values.ts'
import type { JsonObject } from '../template/template.ts'
import type { Need } from './iam.ts'
import { type AwsCall, AwsError, type AwsReply, type AwsRequest, textOf } from './service.ts'
import { actionsOf } from './transaction-protocol.ts'

export type Refusal = 'denied' | 'unknownKey' | 'throttled' | 'failed'

interface Protocol {
  read(request: AwsRequest): AwsCall
  /** @param partitionKeyOf a table's partition key, by ARN */
  needs(call: AwsCall, deployment: Deployment, partitionKeyOf: (table: string) => string | undefined): Need[]
  render(error: AwsError): AwsReply
  /** The service's own status and code for each refusal of this server. */
  refusals: Record<Refusal, readonly [status: number, code: string]>
}

/** AWS's JSON protocols: the action is in a header, the input in the body. */
const jsonProtocol = (version: '1.0' | '1.1', errors: (error: AwsError) => [JsonObject, Record<string, string>]) => ({
  read(request: AwsRequest): AwsCall {
    const { headers, body } = request
    const action = headers['x-amz-target']?.split('.').at(-1) ?? ''
    let input: unknown
    try {
      input = JSON.parse(body)
    } catch {
      input = null
    }
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw new AwsError(400, 'SerializationException', 'The body is not a JSON object')
    }
    return { ...request, action, input: input as JsonObject }
  },
  render(error: AwsError): AwsReply {
    const [members, headers] = errors(error)
    return {
      status: error.status,
      headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amzn-requestid': randomUUID(), ...headers },
      body: JSON.stringify(members),
    }
  },
})

/** Common to DynamoDB and KMS. */
const commonRefusals = {
  denied: [400, 'AccessDeniedException'],
  unknownKey: [400, 'UnrecognizedClientException'],
  throttled: [400, 'ThrottlingException'],
} as const

/** Common to SES and SQS, which both began with AWS's query protocol. */
const queryRefusals = { unknownKey: [403, 'InvalidClientTokenId'], failed: [500, 'InternalFailure'] } as const

const dynamodb: Protocol = {
  ...jsonProtocol('1.0', ({ code, message, members }) => [
    { __type: `com.amazonaws.dynamodb.v20120810#${code}`, message, ...members },
    {},
  ]),
  needs({ action, input }, deployment, partitionKeyOf) {
    const need = (action: string, entry: JsonObject, table = textOf(entry, 'TableName')) => {
      const arn = nameToArn(table, name => deployment.arn('dynamodb', `table/${name}`))
      const index = textOf(entry, 'IndexName')
      const leadingKeys = leadingKeysOf(entry, partitionKeyOf(arn))
      return {
        action: `dynamodb:${action}`,
        resource: index ? `${arn}/index/${index}` : arn,
        // Absent, not empty, where a call names no item.
        context: {
          ...(leadingKeys.length > 0 && { 'dynamodb:LeadingKeys': leadingKeys }),
          ...(action === 'UpdateItem' && { 'dynamodb:Attributes': attributesOf(entry) }),
        },
      }
    }
    if (action === 'TransactWriteItems') return actionsOf(input).map(([action, entry]) => need(action, entry))
    // In a batch, the members of RequestItems are tables.
    if (input.RequestItems) return Object.keys(input.RequestItems).map(table => need(action, {}, table))
    return [need(action, input)]
  },
  refusals: { ...commonRefusals, failed: [500, 'InternalServerError'] },
}

/** The partition key of a call's item. Batch and Query aren't modelled: no role with a LeadingKeys condition uses them. */
function leadingKeysOf({ Key, Item }: JsonObject, partitionKey = ''): string[] {
  const { [partitionKey]: value } = (Key ?? Item ?? {}) as JsonObject
  return Object.values(value ?? {}).map(String)
}

/**
 * The top-level attributes that an update names, its conditions too. Words before a bracket are functions; others in capitals are
 * keywords (Amazon DynamoDB, "Expressions").
 */
export function attributesOf(entry: JsonObject): string[] {
  const texts = ['UpdateExpression', 'ConditionExpression'].map(member => textOf(entry, member)).join(' ')
  const names = (entry.ExpressionAttributeNames ?? {}) as Record<string, string>
  const paths = texts.matchAll(/(?<![\w:#.])(#?[A-Za-z_]\w*)(?!\w|\s*\()(?:\.[#\w]+|\[\d+\])*/g)
  const all = [...paths].map(([, name = '']) => names[name] ?? name)
  return [...new Set(all)].filter(name => !/^(?:SET|REMOVE|ADD|DELETE|AND|OR|NOT|BETWEEN|IN)$/.test(name))
}

const sqs: Protocol = {
  ...jsonProtocol('1.0', ({ code, message, status }) => [
    { __type: `com.amazonaws.sqs#${code}`, message },
    { 'x-amzn-query-error': `${code};${status < 500 ? 'Sender' : 'Receiver'}` },
  ]),
  needs: ({ action, input }, deployment) => [
    {
      // A batch needs the permission of its entries (Amazon SQS, "Actions, resources, and condition keys").
      action: `sqs:${action.replace(/Batch$/, '')}`,
      resource: deployment.arn('sqs', textOf(input, 'QueueUrl').split('/').at(-1) ?? ''),
      context: {},
    },
  ],
  refusals: { ...queryRefusals, denied: [403, 'AccessDeniedException'], throttled: [400, 'RequestThrottled'] },
}

const kms: Protocol = {
  ...jsonProtocol('1.1', ({ code, message }) => [{ __type: code, message }, {}]),
  needs: ({ action, input }, deployment) => [
    {
      action: `kms:${action}`,
      resource: nameToArn(textOf(input, 'KeyId'), id => deployment.arn('kms', `key/${id}`)),
      context: {
        ...(input.SigningAlgorithm && { 'kms:SigningAlgorithm': String(input.SigningAlgorithm) }),
        ...(input.MessageType && { 'kms:MessageType': String(input.MessageType) }),
        // Absent, not empty, without a context: policies distinguish the two (AWS KMS, "Condition keys").
        ...(contextKeys(input).length > 0 && { 'kms:EncryptionContextKeys': contextKeys(input) }),
      },
    },
  ],
  refusals: { ...commonRefusals, failed: [500, 'KMSInternalException'] },
}

const contextKeys = ({ EncryptionContext }: JsonObject): string[] => Object.keys(EncryptionContext ?? {})

/** AWS's query protocol: a form in, XML out. */
const ses: Protocol = {
  read(request) {
    const input = Object.fromEntries(new URLSearchParams(request.body))
    return { ...request, action: textOf(input, 'Action'), input }
  },
  needs({ action, input }, deployment) {
    if (action !== 'SendEmail') throw new AwsError(400, 'InvalidAction', `Could not find operation ${action}`)
    if (!input.Source) throw new AwsError(400, 'InvalidParameterValue', "Missing required header 'From'.")
    const [, displayName = '', address = ''] = /^(?:(.*?)\s*<([^<>]*)>|.*)$/s.exec(textOf(input, 'Source')) ?? []
    const from = address || textOf(input, 'Source').trim()
    return [
      {
        action: `ses:${action}`,
        resource: deployment.arn('ses', `identity/${from.split('@').at(-1)}`),
        context: {
          'ses:FromAddress': from,
          ...(displayName && { 'ses:FromDisplayName': displayName.replace(/^"(.*)"$/, '$1') }),
          'ses:Recipients': Object.entries(input).flatMap(([name, value]) =>
            /^Destination\.\w+\.member\.\d+$/.test(name) ? [String(value)] : [],
          ),
        },
      },
    ]
  },
  render: ({ status, code, message }) => ({
    status,
    headers: { 'content-type': 'text/xml' },
    body:
      '<ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/">' +
      `<Error><Type>${status < 500 ? 'Sender' : 'Receiver'}</Type><Code>${code}</Code>` +
      `<Message>${escapeXml(message)}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  }),
  refusals: { ...queryRefusals, denied: [403, 'AccessDenied'], throttled: [400, 'Throttling'] },
}

/** SES's second API: REST and JSON. Only the suppression list is supported, address by address. */
const sesv2: Protocol = {
  read(request) {
    const [, name = ''] = /^\/v2\/email\/suppression\/addresses\/([^/]+)$/.exec(request.path) ?? []
    const address = decoded(name)
    const action = { GET: 'GetSuppressedDestination', DELETE: 'DeleteSuppressedDestination' }[request.method]
    if (!address || !action) throw new AwsError(404, 'UnknownOperationException', 'There is no such operation')
    return { ...request, action, input: { EmailAddress: address } }
  },
  // The list has no resource without a tenant (Amazon SES v2, "Actions, resources, and condition keys").
  needs: ({ action }) => [{ action: `ses:${action}`, resource: '*', context: { 'ses:ApiVersion': '2' } }],
  render: ({ status, code, message }) => ({
    status,
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': code, 'x-amzn-requestid': randomUUID() },
    body: JSON.stringify({ message }),
  }),
  refusals: {
    denied: [403, 'AccessDeniedException'],
    unknownKey: [403, 'InvalidClientTokenId'],
    throttled: [429, 'TooManyRequestsException'],
    failed: [500, 'InternalServiceErrorException'],
  },
}

export const protocols = { dynamodb, sqs, kms, ses, sesv2 } as const satisfies Record<string, Protocol>
export type ServiceName = keyof typeof protocols

/** The service of a request, by its credential's scope (Signature Version 4). Both APIs of SES share one. */
export function serviceOf(scope: string, { path }: Pick<AwsRequest, 'path'>): ServiceName | null {
  const name = scope === 'ses' && path.startsWith('/v2/') ? 'sesv2' : scope
  return Object.hasOwn(protocols, name) ? (name as ServiceName) : null
}

/** Calls may also name tables and keys by ARN. */
const nameToArn = (name: string, arn: (name: string) => string): string => (name.startsWith('arn:') ? name : arn(name))

const escapeXml = (text: string): string => text.replace(/[<>&"']/g, character => `&#${character.codePointAt(0)};`)
