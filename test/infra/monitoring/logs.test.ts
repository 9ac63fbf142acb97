import { describe, expect, test } from 'vitest'
import { functionNames } from '../../../api/route-keys.ts'
import { inText } from '../../support/stack/template.ts'
import { stack } from './monitored.ts'

describe('logs', () => {
  test('no log group is without retention', () => {
    const groups = stack.all('AWS::Logs::LogGroup')
    expect(groups.length).toBeGreaterThan(functionNames.length)
    for (const [, { Properties }] of groups) expect(Properties).toMatchObject({ RetentionInDays: 90 })
  })

  test('no function is traced: a stranger could have each request traced, and a trace shows none of our calls', () => {
    for (const name of functionNames) expect(stack.functionProperties(name)).not.toHaveProperty('TracingConfig')
  })

  test('the API writes a JSON object per request, with everything in quotes and never the query', () => {
    const { AccessLogSettings } = stack.only('AWS::ApiGatewayV2::Stage').Properties
    const { DestinationArn, Format } = AccessLogSettings as { DestinationArn: unknown; Format: string }
    const group = /^<(\w+)\.Arn>$/.exec(inText(DestinationArn))?.[1] ?? ''
    expect(inText(stack.properties(group).LogGroupName)).toBe('/aws/vendedlogs/apigateway/<AWS::StackName>')
    const { stage, ...fields }: Record<string, string> = JSON.parse(Format)
    expect(stage).toBe('staging')
    expect(Object.values(fields).every(value => /^\$context\.[\w.]+$/.test(value))).toBe(true)
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(['requestId', 'ip', 'route', 'status', 'latency']))
    expect(Format).not.toMatch(/query|header|authori/i)
  })
})
