import { expect, test } from 'vitest'
import { type Resource, synthesize } from '../support/template.ts'
import record from './stateful-resources.json' with { type: 'json' }

interface Stateful {
  type: string
  createOnly: Record<string, unknown>
  loss: string
}

type Resources = Record<string, Pick<Resource, 'Type' | 'Properties'>>

/**
 * Resources that hold what cannot be made again, and which of their properties make another resource when they change
 * (AWS CloudFormation, resource reference: "Update requires: Replacement").
 */
const createOnly: Record<string, string[]> = {
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::CloudFront::Distribution': [],
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema', 'LocalSecondaryIndexes', 'ImportSourceSpecification'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'],
  'AWS::SES::EmailIdentity': ['EmailIdentity'],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
}

/** Keys that only encrypt what is gone within seconds. */
const isPassing = ({ Properties }: Pick<Resource, 'Properties'>): boolean => Properties.EnableKeyRotation === true

/** What a deploy of these resources would destroy, each in a sentence. */
function losses(resources: Resources): string[] {
  const known: [string, Stateful][] = Object.entries(record)
  const lost = known.flatMap(([id, { type, createOnly: recorded, loss }]) => {
    const cause = causeOf(resources[id], type, recorded)
    return cause ? [`${id} would be replaced (${cause}). Lost would be ${loss}.`] : []
  })
  const unknown = Object.entries(resources)
    .filter(([id, resource]) => resource.Type in createOnly && !(id in record) && !isPassing(resource))
    .map(([id, { Type }]) => `${id} is a new ${Type}. Add it to stateful-resources.json, with what would be lost.`)
  return [...lost, ...unknown]
}

function causeOf(resource: Resources[string] | undefined, type: string, recorded: Record<string, unknown>) {
  if (!resource) return 'its logical id is gone'
  if (resource.Type !== type) return `it was an ${type} and is an ${resource.Type}`
  const changed = (createOnly[type] ?? []).filter(
    property => JSON.stringify(resource.Properties?.[property]) !== JSON.stringify(recorded[property]),
  )
  const tell = (property: string) =>
    `${property} was ${JSON.stringify(recorded[property])} and is ${JSON.stringify(resource.Properties?.[property])}`
  return changed.map(tell).join(', ')
}

const { Resources } = synthesize({ MAIL_FROM: 'no-reply@example.com', SES_IDENTITY: 'example.com' }).template

test('a deploy replaces nothing that holds data or is known by its address', () => {
  expect(losses(Resources)).toEqual([])
})

test('a table that is renamed or keyed anew is told, with what would be lost', () => {
  const { Users, ...others } = Resources
  if (!Users) throw new Error('there is no table of users')
  expect(losses({ ...others, Accounts: Users })).toEqual([
    expect.stringMatching(/^Users would be replaced \(its logical id is gone\)\. Lost would be every account: /),
    expect.stringMatching(/^Accounts is a new AWS::DynamoDB::Table\. Add it to /),
  ])
  const KeySchema = [{ AttributeName: 'id', KeyType: 'HASH' }]
  expect(losses({ ...others, Users: { ...Users, Properties: { ...Users.Properties, KeySchema } } })).toEqual([
    expect.stringMatching(
      /^Users would be replaced \(KeySchema was \[.*"email".*\] and is \[.*"id".*\]\)\. Lost would be /,
    ),
  ])
})

test('a key of another make is told', () => {
  const key = { Type: 'AWS::KMS::Key', Properties: { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' } }
  expect(losses({ ...Resources, SigningKeyMain: key })).toEqual([
    expect.stringContaining('(KeySpec was "RSA_2048" and is "ECC_NIST_P256")'),
  ])
})

test('what holds accounts, keys and logs of the edge stays behind even if its stack goes', () => {
  const kept = Object.entries(Resources).filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain')
  expect(kept.map(([, { Type }]) => Type).sort()).toEqual([
    'AWS::DynamoDB::Table',
    'AWS::KMS::Key',
    'AWS::S3::Bucket',
    'AWS::SES::EmailIdentity',
  ])
  for (const [, { UpdateReplacePolicy }] of kept) expect(UpdateReplacePolicy).toBe('Retain')
})
