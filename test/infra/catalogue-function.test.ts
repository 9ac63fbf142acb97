// What the catalogue's function may do in AWS.
import { mkdirSync } from 'node:fs'
import { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { bundleOf } from '../../infra/bundle.ts'
import { ServiceFunction } from '../../infra/service-function.ts'
import { routes } from '../../shared/routes.ts'

const row = routes.catalogue

test('the role may write logs and do nothing else', () => {
  expect(row).toMatchObject({ access: 'anyone', may: {}, settings: [] })
  mkdirSync(bundleOf('catalogue'), { recursive: true })
  const stack = new Stack()
  new ServiceFunction(stack, 'Catalogue', {
    name: 'catalogue',
    row,
    opened: { statements: [], environment: {} },
    settings: {},
  })
  const template = Template.fromStack(stack)

  const actions = Object.values(template.findResources('AWS::IAM::Policy')).flatMap(({ Properties }) =>
    Properties.PolicyDocument.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action),
  )
  const writing = ['logs:CreateLogStream', 'logs:PutLogEvents', 'xray:PutTraceSegments', 'xray:PutTelemetryRecords']
  expect(actions.filter(action => !writing.includes(action))).toEqual([])
  for (const { Properties } of Object.values(template.findResources('AWS::IAM::Role'))) {
    expect(Properties.ManagedPolicyArns).toBeUndefined()
    expect(Properties.Policies).toBeUndefined()
  }
})

test('the function answers every method at and below /catalogue', () => {
  expect(row.on).toEqual(['ANY /catalogue', 'ANY /catalogue/{path+}'])
})
