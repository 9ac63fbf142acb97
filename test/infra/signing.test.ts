import { expect, test } from 'vitest'
import { functionNames, needsOf, rows } from '../../shared/needs.ts'
import { synthesize } from '../support/template.ts'

const stack = synthesize({ SIGNING_KEYS: 'next,main' })

test('each name in SIGNING_KEYS has an RSA key that outlives the stack', () => {
  const keys = ['SigningKeyNext', 'SigningKeyMain']
  for (const id of keys) {
    expect(stack.resource(id)).toMatchObject({
      Type: 'AWS::KMS::Key',
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' },
    })
  }
  const signing = stack.all('AWS::KMS::Key').filter(([, { Properties }]) => Properties.KeyUsage === 'SIGN_VERIFY')
  expect(signing.map(([id]) => id)).toEqual(keys)
})

test('the first key signs, and login may use no other', () => {
  expect(stack.permissions('login').filter(permission => permission.startsWith('kms:'))).toEqual([
    'kms:GetPublicKey on <SigningKeyNext.Arn>',
    'kms:Sign on <SigningKeyNext.Arn>',
  ])
  expect(stack.variables('login').SIGNING_KEY_IDS).toBe('<SigningKeyNext>')
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
  expect(synthesize({ SIGNING_KEYS: 'main' }).resource('SigningKeyMain')).toEqual(before)
})
