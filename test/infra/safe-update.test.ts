import { describe, expect, test } from 'vitest'
import { everything, providerList } from '../support/stack/settings.ts'
import { type Resource, synthesize } from '../support/stack/template.ts'
import record from './stateful-resources.json' with { type: 'json' }

interface Stateful {
  type: string
  /** The deletion policy: what happens to the resource when the stack is deleted, or a deploy drops it. */
  kept: string
  createOnly: Record<string, unknown>
  loss: string
}

type Resources = Record<string, Pick<Resource, 'Type' | 'Properties'> & Partial<Resource>>

/**
 * Resources with irreplaceable content, and the properties whose change replaces them (AWS CloudFormation, resource
 * reference: "Update requires: Replacement").
 */
const createOnly: Record<string, string[]> = {
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::CloudFront::Distribution': [],
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema', 'LocalSecondaryIndexes', 'ImportSourceSpecification'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'],
  'AWS::SES::ConfigurationSet': ['Name'],
  'AWS::SES::ConfigurationSetEventDestination': ['ConfigurationSetName'],
  'AWS::SES::EmailIdentity': ['EmailIdentity'],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
}

/** Keys of data that lives for seconds. */
const isPassing = ({ Properties, DeletionPolicy }: Resources[string]): boolean =>
  Properties.EnableKeyRotation === true && DeletionPolicy === 'Delete'

/** What a deploy of these resources would destroy, a sentence each. */
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
    property => JSON.stringify(resource.Properties[property]) !== JSON.stringify(recorded[property]),
  )
  const tell = (property: string) =>
    `${property} was ${JSON.stringify(recorded[property])} and is ${JSON.stringify(resource.Properties[property])}`
  return changed.map(tell).join(', ')
}

const { Resources } = synthesize({
  MAIL_FROM: 'no-reply@example.com',
  SES_IDENTITY: 'example.com',
  SIGN_IN_PROVIDERS: providerList,
}).template

test('a deploy replaces nothing that holds data or is known by its address', () => {
  expect(losses(Resources)).toEqual([])
})

test('a table with another name or key is reported, with what would be lost', () => {
  const { Accounts, ...others } = Resources
  if (!Accounts) throw new Error('there is no table of accounts')
  expect(losses({ ...others, People: Accounts })).toEqual([
    expect.stringMatching(/^Accounts would be replaced \(its logical id is gone\)\. Lost would be every account: /),
    expect.stringMatching(/^People is a new AWS::DynamoDB::Table\. Add it to /),
  ])
  const KeySchema = [{ AttributeName: 'id', KeyType: 'HASH' }]
  expect(losses({ ...others, Accounts: { ...Accounts, Properties: { ...Accounts.Properties, KeySchema } } })).toEqual([
    expect.stringMatching(
      /^Accounts would be replaced \(KeySchema was \[.*"key".*\] and is \[.*"id".*\]\)\. Lost would be /,
    ),
  ])
})

const policyOf = ({ DeletionPolicy = 'Delete' }: Partial<Resource>): string => DeletionPolicy

describe('what outlives the stack', () => {
  test.each<[string, Stateful]>(Object.entries(record))('of %s is as recorded', (id, { kept }) => {
    const resource: Partial<Resource> = Resources[id] ?? {}
    expect(policyOf(resource)).toBe(kept)
    // A deploy that replaces it also keeps the old one. CloudFormation has no RetainExceptOnCreate here.
    expect(resource.UpdateReplacePolicy ?? 'Delete').toBe(kept === 'Delete' ? 'Delete' : 'Retain')
  })

  test('is recorded, all of it', () => {
    const kept = Object.entries(Resources).filter(([, resource]) => policyOf(resource) !== 'Delete')
    expect(kept.map(([id]) => id).filter(id => !(id in record))).toEqual([])
  })

  test('stays only after a successful deploy: a failed first deploy leaves what is protected', () => {
    const left = Object.entries(Resources).filter(([, resource]) => policyOf(resource) === 'Retain')
    expect(left.map(([id]) => id)).toEqual(['Accounts', 'Users'])
    for (const [, { Properties }] of left) expect(Properties).toMatchObject({ DeletionProtectionEnabled: true })
  })
})

/** The resources that a part of a template refers to. Not those in a policy's conditions, which compare ARNs that need not exist. */
function needs(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([member, inner]) => {
    if (member === 'Condition' && 'Effect' in part) return []
    if (member === 'Ref' || member === 'DependsOn') return [inner].flat()
    if (member === 'Fn::GetAtt') return [[inner].flat()[0].split('.')[0]]
    if (member === 'Fn::Sub') return [...JSON.stringify(inner).matchAll(/\$\{(\w+)[.}]/g)].flatMap(([, id = '']) => id)
    return needs(inner)
  })
}

/** What a retained resource needs but would lose with the stack. */
const missing = (resources: Resources): string[] =>
  Object.entries(resources)
    .filter(([, resource]) => policyOf(resource) !== 'Delete')
    .flatMap(([id, resource]) =>
      needs(resource)
        .filter(need => resources[need] && policyOf(resources[need]) === 'Delete')
        .map(need => `${id} needs ${need}`),
    )

const variants = [
  ['with nothing set', synthesize().template],
  ['with everything set', synthesize(everything).template],
] as const

describe.each(variants)('a stack %s', (_, { Resources, Outputs = {} }) => {
  test('retains what its retained resources need to work', () => {
    expect(missing(Resources)).toEqual([])
  })

  test('has no logical id that contains an undefined value', () => {
    expect([...Object.keys(Resources), ...Object.keys(Outputs)].filter(id => /undefined|null|NaN/.test(id))).toEqual([])
  })
})

test.each<[string, Partial<Resource>]>([
  // \u007b is "{": the linter takes the plain text for a template.
  ['refers to', { Properties: { Name: { Ref: 'Other' } } }],
  ['has an attribute of', { Properties: { Name: [{ 'Fn::GetAtt': ['Other', 'Arn'] }] } }],
  ['is named after', { Properties: { Name: { 'Fn::Sub': 'a-$\u007bOther.Name}' } } }],
  ['depends on', { DependsOn: ['Other'] }],
])('a resource that would be deleted although a retained one %s it is noticed', (_, kept) => {
  const Other = { Type: 'Other', Properties: {} }
  const Kept = { Type: 'Kept', Properties: {}, DeletionPolicy: 'RetainExceptOnCreate', ...kept }
  expect(missing({ Kept, Other })).toEqual(['Kept needs Other'])
  expect(missing({ Kept, Other: { ...Other, DeletionPolicy: 'Retain' } })).toEqual([])
})
