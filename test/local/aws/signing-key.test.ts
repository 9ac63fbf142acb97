import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KMSClient, SignCommand } from '@aws-sdk/client-kms'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readSettings } from '../../../infra/settings/settings.ts'
import { assemble } from '../../../local/template/assembly.ts'
import type { JsonObject } from '../../../local/template/template.ts'
import { signers } from '../../../shared/api/needs.ts'
import { functionNames } from '../../../shared/api/route-keys.ts'
import { type Observed, observe } from '../../support/system/small-stack.ts'

/** The key's own policy, as the stack has it, on a system in which every role may sign by its own policies. */

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-signing-'))
let system: Observed

beforeAll(async () => {
  const assembly = await assemble(readSettings({ RATE_LIMITS: 'off' }), directory)
  for (const { Type, Properties } of Object.values(assembly.template.Resources)) {
    if (!Properties || !['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].includes(Type)) continue
    const { Statement } = Properties.PolicyDocument as { Statement: JsonObject[] }
    Statement.push({ Effect: 'Allow', Action: 'kms:Sign', Resource: '*' })
  }
  system = await observe(assembly)
})
afterAll(async () => {
  await system.stop()
  rmSync(directory, { recursive: true })
})
beforeEach(() => {
  system.denials.length = 0
})

const sign = (caller: string) =>
  new KMSClient({
    region: 'us-east-1',
    endpoint: system.awsUrl,
    credentials: system.credential(caller),
    maxAttempts: 1,
  }).send(
    new SignCommand({
      KeyId: 'SigningKeyMain',
      Message: Buffer.from('a token'),
      MessageType: 'RAW',
      SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
    }),
  )

test.each(signers)('%s signs', async name => {
  expect((await sign(name)).Signature).toHaveLength(256)
  expect(system.denials).toEqual([])
})

test.each([...functionNames.filter(name => !signers.includes(name)), 'operator'])(
  '%s is denied a signature by the key, although its role allows it',
  async caller => {
    await expect(sign(caller)).rejects.toMatchObject({ name: 'AccessDeniedException' })
    expect(system.denials).toEqual([
      expect.objectContaining({ caller, action: 'kms:Sign', reason: 'a policy denies it' }),
    ])
  },
)
