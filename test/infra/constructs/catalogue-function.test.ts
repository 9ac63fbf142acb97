// The resources that the stack creates for the catalogue's row.
import { expect, test } from 'vitest'
import { routeKeysOf } from '../../../shared/api/route-keys.ts'
import { synthesize } from '../../support/stack/template.ts'

const stack = synthesize()

test('the function may write logs and traces, and do nothing else', () => {
  expect(stack.permissions('catalogue').map(permission => permission.replace(/ on .*/, ''))).toEqual([
    'logs:CreateLogStream',
    'logs:PutLogEvents',
    'xray:PutTelemetryRecords',
    'xray:PutTraceSegments',
  ])
  expect(stack.variables('catalogue')).toEqual({ STAGE: 'dev' })
})

test('the function answers every method at and below /catalogue', () => {
  expect(routeKeysOf('catalogue')).toEqual(['ANY /catalogue', 'ANY /catalogue/{path+}'])
})

test("the edge's address is among the outputs", () => {
  const [[id = ''] = []] = stack.all('AWS::CloudFront::Distribution')
  expect(stack.template.Outputs?.CatalogueUrl?.Value).toEqual({
    'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [id, 'DomainName'] }, '/catalogue']],
  })
})
