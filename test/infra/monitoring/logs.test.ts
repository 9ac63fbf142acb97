import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { functionNames } from '../../../api/route-keys.ts'
import { inText } from '../../support/stack/template.ts'
import { stack } from './monitored.ts'

const inventory = join(import.meta.dirname, '../../../docs/security-inventory.md')

describe('logs', () => {
  test('no log group is without retention', () => {
    const groups = stack.all('AWS::Logs::LogGroup')
    expect(groups).toHaveLength(2)
    for (const [, { Properties }] of groups) expect(Properties).toMatchObject({ RetentionInDays: 90 })
  })

  test('no function is traced', () => {
    for (const name of functionNames) expect(stack.functionProperties(name)).not.toHaveProperty('TracingConfig')
  })

  test('the API writes a JSON object per request, and never the query', () => {
    const { AccessLogSettings } = stack.only('AWS::ApiGatewayV2::Stage').Properties
    const { DestinationArn, Format } = AccessLogSettings as { DestinationArn: unknown; Format: string }
    const group = /^<(\w+)\.Arn>$/.exec(inText(DestinationArn))?.[1] ?? ''
    expect(inText(stack.properties(group).LogGroupName)).toBe('/aws/vendedlogs/apigateway/<AWS::StackName>')
    const line: Record<string, string> = JSON.parse(Format)
    const { stage, ...fields } = line
    expect(stage).toBe('staging')
    expect(Object.values(fields).every(value => /^\$context\.[\w.]+$/.test(value))).toBe(true)
    const [, stated = ''] = /A line for each request: (.*?)\. /.exec(readFileSync(inventory, 'utf8')) ?? []
    expect(stated.replaceAll('`', '').split(', ')).toEqual(Object.keys(line))
    expect(Format).not.toMatch(/query|header|authori/i)
  })
})
