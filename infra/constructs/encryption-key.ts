import { RemovalPolicy } from 'aws-cdk-lib'
import { AnyPrincipal, Effect, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'
import { factorContextKey, providerContextKey } from '../../shared/base/families.ts'
import { keepLogicalId } from './logical-id.ts'

const contextKeys = 'kms:EncryptionContextKeys'

/** Every action that reads or writes under a symmetric key. */
const uses = ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*']

/** The same without encryption alone, which reveals nothing. */
const usesButEncrypt = uses.filter(action => action !== 'kms:Encrypt')

interface EncryptionKeyProps {
  description: string
  /** The only allowed key of the encryption context, required in every call. */
  contextKey: string
}

/** A key that encrypts each text for one owner alone. It outlives the stack: without it, everything it encrypted is lost. */
class EncryptionKey extends Construct {
  readonly key: Key
  /**
   * The condition that a call's encryption context is exactly one owner. Without `Null`, a call without a context would
   * fulfil it too (AWS IAM, "Multivalued context keys").
   */
  readonly ofOneOwner: Record<string, Record<string, string | string[]>>
  readonly #contextKey: string

  constructor(scope: Construct, id: string, { description, contextKey }: EncryptionKeyProps) {
    super(scope, id)
    this.key = new Key(this, 'Key', {
      description,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    })
    keepLogicalId(this.key, id)
    this.#contextKey = contextKey
    this.ofOneOwner = {
      'ForAllValues:StringEquals': { [contextKeys]: [contextKey] },
      Null: { [contextKeys]: 'false' },
    }
  }

  /**
   * Denies actions to all principals except these roles. The default key policy lets IAM policies of the account allow
   * them, so anyone with such a policy and a ciphertext could read it.
   */
  protected denyAllBut(roles: readonly IRole[], actions: string[]): void {
    // In a session this is the ARN of the assumed role (AWS IAM, "Global condition keys").
    this.#deny(actions, { ArnNotEquals: { 'aws:PrincipalArn': roles.map(({ roleArn }) => roleArn) } })
  }

  /** Denies all uses without an owner as context, even to these roles. */
  protected denyOtherContexts(): void {
    this.#deny(uses, { 'ForAnyValue:StringNotEquals': { [contextKeys]: [this.#contextKey] } })
    this.#deny(uses, { Null: { [contextKeys]: 'true' } })
  }

  #deny(actions: string[], conditions: Record<string, Record<string, string | string[]>>): void {
    const principals = [new AnyPrincipal()]
    this.key.addToResourcePolicy(
      new PolicyStatement({ effect: Effect.DENY, principals, actions, resources: ['*'], conditions }),
    )
  }
}

/** The key of second factors' secrets, each encrypted for its account: it reveals everybody's codes. */
export class FactorKey extends EncryptionKey {
  constructor(scope: Construct, id: string) {
    super(scope, id, { description: 'Encrypts the secrets of second factors', contextKey: factorContextKey })
  }

  /**
   * @param roles of the functions that check or set a factor
   * @param setting roles of the functions that set a factor
   */
  useOnlyBy(roles: readonly IRole[], setting: readonly IRole[]): void {
    this.denyAllBut(roles, uses)
    this.denyAllBut(setting, ['kms:Encrypt'])
    this.denyOtherContexts()
  }
}

/** The key of this service's secrets at providers, each encrypted for its provider: operators encrypt them, and read none. */
export class ProviderKey extends EncryptionKey {
  constructor(scope: Construct, id: string) {
    super(scope, id, { description: 'Encrypts the secrets at sign-in providers', contextKey: providerContextKey })
  }

  /** @param roles of the functions that exchange codes */
  decryptOnlyBy(roles: readonly IRole[]): void {
    this.denyAllBut(roles, usesButEncrypt)
    this.denyOtherContexts()
  }
}
