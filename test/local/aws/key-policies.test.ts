import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DecryptCommand, EncryptCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exchangers, factorSetters, factorUsers, signers } from '../../../api/needs.ts'
import { functionNames } from '../../../api/route-keys.ts'
import { readSettings } from '../../../infra/settings/settings.ts'
import { assemble } from '../../../local/template/assembly.ts'
import type { JsonObject } from '../../../local/template/template.ts'
import { applications, providerList } from '../../support/stack/settings.ts'
import { configOf, type Observed, observe } from '../../support/system/small-stack.ts'

/** The stack's key policies, in a system where every role's own policies allow everything. */

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-signing-'))
let system: Observed

beforeAll(async () => {
  const assembly = await assemble(
    readSettings({
      RATE_LIMITS: 'off',
      SIGNING_KEYS: 'next,main',
      MAIL_FROM: 'no-reply@example.com',
      OIDC_CLIENTS: applications,
      SIGN_IN_PROVIDERS: providerList,
    }),
    directory,
  )
  for (const { Type, Properties } of Object.values(assembly.template.Resources)) {
    const own = Type === 'AWS::IAM::Role' ? (Properties?.Policies as JsonObject[]) : []
    for (const { PolicyDocument } of Type === 'AWS::IAM::ManagedPolicy' && Properties ? [Properties] : own) {
      const { Statement } = PolicyDocument as { Statement: JsonObject[] }
      Statement.push({ Effect: 'Allow', Action: 'kms:*', Resource: '*' })
    }
  }
  system = await observe(assembly)
})
afterAll(() => system.stop())
beforeEach(() => {
  system.denials.length = 0
})

const kms = (caller: string) => new KMSClient(configOf(system, caller))

const signingKeys = ['SigningKeyNext', 'SigningKeyMain']
const sign = (caller: string, KeyId = 'SigningKeyNext') =>
  kms(caller).send(
    new SignCommand({
      KeyId,
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
    for (const key of signingKeys) await expectDenial(caller, 'Sign', sign(caller, key))
  },
)

async function expectDenial(caller: string, action: string, call: Promise<unknown>): Promise<void> {
  await expect(call).rejects.toMatchObject({ name: 'AccessDeniedException' })
  expect(system.denials.splice(0)).toEqual([
    expect.objectContaining({ caller, action: `kms:${action}`, reason: 'a policy denies it' }),
  ])
}

const ada = { account: 'ada' }
const encrypt = (caller: string, EncryptionContext: Record<string, string> = ada) =>
  kms(caller).send(new EncryptCommand({ KeyId: 'FactorKey', Plaintext: Buffer.from('a secret'), EncryptionContext }))
const decrypt = async (caller: string, EncryptionContext?: Record<string, string>) => {
  const { CiphertextBlob } = await encrypt(setter)
  return kms(caller).send(new DecryptCommand({ KeyId: 'FactorKey', CiphertextBlob, EncryptionContext }))
}
const [setter = ''] = factorSetters

test.each(factorUsers)('%s decrypts the secret of a second factor', async name => {
  expect(Buffer.from((await decrypt(name, ada)).Plaintext ?? []).toString()).toBe('a secret')
  expect(system.denials).toEqual([])
})

const others = [...functionNames.filter(name => !factorUsers.includes(name)), 'operator']

test.each(others)('%s is denied a second factor’s secret by the key, against its role', caller =>
  expectDenial(caller, 'Decrypt', decrypt(caller, ada)),
)

test.each([...factorUsers.filter(name => !factorSetters.includes(name)), ...others])(
  '%s is denied to encrypt one',
  caller => expectDenial(caller, 'Encrypt', encrypt(caller)),
)

test.each([{}, { other: 'ada' }, { account: 'ada', other: '' }])(
  'with the context %o nobody uses the key',
  async context => {
    await expectDenial(setter, 'Encrypt', encrypt(setter, context))
    await expectDenial(setter, 'Decrypt', decrypt(setter, context))
  },
)

const google = { provider: 'google' }
const encryptForProvider = (EncryptionContext: Record<string, string> = google) =>
  kms('operator').send(
    new EncryptCommand({ KeyId: 'ProviderKey', Plaintext: Buffer.from('a secret'), EncryptionContext }),
  )
const decryptForProvider = async (caller: string, EncryptionContext?: Record<string, string>) => {
  const { CiphertextBlob } = await encryptForProvider()
  return kms(caller).send(new DecryptCommand({ KeyId: 'ProviderKey', CiphertextBlob, EncryptionContext }))
}

test.each(exchangers)('%s decrypts the secret at a provider that an operator has encrypted', async name => {
  expect(Buffer.from((await decryptForProvider(name, google)).Plaintext ?? []).toString()).toBe('a secret')
  expect(system.denials).toEqual([])
})

test.each([...functionNames.filter(name => !exchangers.includes(name)), 'operator'])(
  '%s is denied a provider’s secret by the key, against its role',
  caller => expectDenial(caller, 'Decrypt', decryptForProvider(caller, google)),
)

test.each([{}, { other: 'google' }, { account: 'google' }, { provider: 'google', other: '' }])(
  'with the context %o nobody uses the key of secrets at providers',
  async context => {
    await expectDenial('operator', 'Encrypt', encryptForProvider(context))
    await expectDenial('provider-login', 'Decrypt', decryptForProvider('provider-login', context))
  },
)
