import { RemovalPolicy } from 'aws-cdk-lib'
import { AnyPrincipal, Effect, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'
import { factorContextKey } from '../../shared/store/attributes.ts'
import { keepLogicalId } from './logical-id.ts'

const contextKeys = 'kms:EncryptionContextKeys'

/**
 * The condition that a call states one account, and nothing else, as its encryption context. Without `Null`, a call
 * without a context would fulfil it too (AWS IAM, "Multivalued context keys").
 */
export const ofAnAccount = {
  'ForAllValues:StringEquals': { [contextKeys]: [factorContextKey] },
  Null: { [contextKeys]: 'false' },
}

/** All that reads or writes something under a symmetric key. */
const uses = ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*']

/** The key that encrypts the secrets of second factors. It outlives the stack: without it, all of them are lost. */
export class FactorKey extends Construct {
  readonly key: Key

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.key = new Key(this, 'Key', {
      description: 'Encrypts the secrets of second factors',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    })
    keepLogicalId(this.key, 'FactorKey')
  }

  /**
   * Denies the key to all principals but these roles, and to these roles without an account as context. The default key
   * policy lets IAM policies of the account allow the use of its keys: without this, anyone with such a policy and a copy
   * of the table could make the codes of any account.
   *
   * @param roles of the functions that check or set a factor
   * @param setting of those that set one
   */
  useOnlyBy(roles: readonly IRole[], setting: readonly IRole[]): void {
    // For a session, this is the ARN of the role it assumed (AWS IAM, "Global condition keys").
    const isNoneOf = (allowed: readonly IRole[]) => ({
      ArnNotEquals: { 'aws:PrincipalArn': allowed.map(({ roleArn }) => roleArn) },
    })
    this.#deny(uses, isNoneOf(roles))
    this.#deny(['kms:Encrypt'], isNoneOf(setting))
    this.#deny(uses, { 'ForAnyValue:StringNotEquals': { [contextKeys]: [factorContextKey] } })
    this.#deny(uses, { Null: { [contextKeys]: 'true' } })
  }

  #deny(actions: string[], conditions: Record<string, Record<string, string | string[]>>): void {
    const principals = [new AnyPrincipal()]
    this.key.addToResourcePolicy(
      new PolicyStatement({ effect: Effect.DENY, principals, actions, resources: ['*'], conditions }),
    )
  }
}
