import { describe, expect, test } from 'vitest'
import { inText } from '../../support/stack/template.ts'
import { stack } from './monitored.ts'

describe('the topic of alarms', () => {
  const { KmsMasterKeyId } = stack.properties('AlarmTopic')
  const key = stack.properties(inText(KmsMasterKeyId).slice(1).split('.')[0] ?? '')
  const ofAlarms = {
    Effect: 'Allow',
    Principal: { Service: 'cloudwatch.amazonaws.com' },
    Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
  }

  test('has a key of its own, which rotates and which alarms may use', () => {
    expect(key).toMatchObject({ EnableKeyRotation: true })
    expect((key.KeyPolicy as { Statement: unknown[] }).Statement).toContainEqual({
      ...ofAlarms,
      Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      Resource: '*',
    })
  })

  test('lets alarms publish, and nobody without TLS', () => {
    const { PolicyDocument } = stack.only('AWS::SNS::TopicPolicy').Properties
    const { Statement } = PolicyDocument as { Statement: unknown[] }
    const publishing = { ...ofAlarms, Action: 'sns:Publish', Resource: { Ref: 'AlarmTopic' } }
    expect(Statement).toContainEqual(expect.objectContaining(publishing))
    expect(Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    )
  })
})
