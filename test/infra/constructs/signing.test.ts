import { Stack } from 'aws-cdk-lib'
import { expect, test } from 'vitest'
import { needsOf, rows } from '../../../api/needs.ts'
import { functionNames } from '../../../api/route-keys.ts'
import { Data } from '../../../infra/constructs/data.ts'
import { FactorKey } from '../../../infra/constructs/encryption-key.ts'
import { GrantResolver } from '../../../infra/constructs/grants.ts'
import { Mail } from '../../../infra/constructs/mail.ts'
import { Signing } from '../../../infra/constructs/signing.ts'
import { readSettings } from '../../../infra/settings/settings.ts'
import { applications, providerList } from '../../support/stack/settings.ts'
import { inText, synthesize } from '../../support/stack/template.ts'

/** All functions. */
const all = { OIDC_CLIENTS: applications, SIGN_IN_PROVIDERS: providerList, MAIL_FROM: 'no-reply@example.com' }
const stack = synthesize({ SIGNING_KEYS: 'next,main', ...all })

test('each name in SIGNING_KEYS has an RSA key that outlives the stack', () => {
  const keys = ['SigningKeyNext', 'SigningKeyMain']
  for (const id of keys) {
    expect(stack.resource(id)).toMatchObject({
      Type: 'AWS::KMS::Key',
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: { KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' },
    })
  }
  const signing = stack.all('AWS::KMS::Key').filter(([, { Properties }]) => Properties.KeyUsage === 'SIGN_VERIFY')
  expect(signing.map(([id]) => id)).toEqual(keys)
})

test('the first key signs; login may sign by each, and do nothing else', () => {
  expect(stack.permissions('login').filter(permission => permission.includes('SigningKey'))).toEqual([
    'kms:Sign on <SigningKeyMain.Arn>',
    'kms:Sign on <SigningKeyNext.Arn>',
  ])
  expect(stack.variables('login').SIGNING_KEY_ID).toBe('<SigningKeyNext>')
})

test('a function that signs and verifies is told which key signs, and which are published', () => {
  const part = new Stack()
  const settings = readSettings({ SIGNING_KEYS: 'next,main' })
  const signing = new Signing(part, 'Signing', settings.SIGNING_KEYS)
  const parts = [
    new Data(part, 'Data'),
    new Mail(part, 'Mail', settings),
    signing,
    new FactorKey(part, 'FactorKey'),
    null,
  ] as const
  const resolver = new GrantResolver(part, 'Grants', ...parts)
  const { environment } = resolver.resolve({ SigningKey: ['Sign'], SigningKeys: ['GetPublicKey'] }, [])
  expect(inText(part.resolve(environment.SIGNING_KEY_ID))).toBe('<SigningKeyNext>')
  expect(inText(part.resolve(environment.SIGNING_KEY_IDS))).toBe('<SigningKeyNext>,<SigningKeyMain>')
})

const verifiers = functionNames.filter(name => needsOf(rows[name]).may.SigningKeys)

test.each(verifiers)('%s reads every key, so that older tokens stay valid', name => {
  expect(stack.variables(name).SIGNING_KEY_IDS).toBe('<SigningKeyNext>,<SigningKeyMain>')
  expect(stack.permissions(name)).toEqual(
    expect.arrayContaining(['SigningKeyNext', 'SigningKeyMain'].map(id => `kms:GetPublicKey on <${id}.Arn>`)),
  )
})

test('a dropped name leaves the key of another untouched', () => {
  const before = stack.resource('SigningKeyMain')
  expect(synthesize({ SIGNING_KEYS: 'main', ...all }).resource('SigningKeyMain')).toEqual(before)
})
