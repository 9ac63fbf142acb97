import { readProperties } from '../template/property-schemas.ts'
import type { StackDefinition } from '../template/read-stack.ts'
import type { Deployment } from '../template/return-values.ts'
import type { Caller } from './credentials.ts'
import { decide, matches, type Need, ResourcePolicy, RolePolicy, TrustPolicy, type Verdict } from './iam.ts'

/**
 * The permissions of a stack's callers, by the policies in its template. SES's rules about recipients and verified
 * identities are not modelled.
 *
 * @throws {StartError} when a policy has something unknown to local/aws/iam.ts
 */
export function permissionsOf(
  callers: readonly Caller[],
  stack: Pick<StackDefinition, 'resourcePolicies' | 'trustPolicies'>,
  { accountId }: Deployment,
) {
  const rolePolicies = new Map(
    callers.map(({ label, role, policies }) => [
      role,
      policies.map(({ name, policy }) => readProperties(`the policy ${name} of ${label}`, RolePolicy, policy)),
    ]),
  )
  const resourcePolicies = new Map([
    ...[...stack.resourcePolicies].map(
      ([arn, policy]) => [arn, readProperties(`the policy of ${arn}`, ResourcePolicy, policy)] as const,
    ),
    ...[...stack.trustPolicies].map(
      ([arn, policy]) => [arn, readProperties(`the trust policy of ${arn}`, TrustPolicy, policy)] as const,
    ),
  ])
  const keyPatterns = [...rolePolicies.values()].flat().flatMap(({ Statement }) => Statement.flatMap(patternsOf))
  const distinctPatterns = [...new Set(keyPatterns)]
  /** A caller of the SDK, as a refusal names it. */
  const principal = ({ role, name }: Caller): string => `arn:aws:sts::${accountId}:assumed-role/${role}/${name}`

  /** The patterns that match a call's leading keys. */
  const keysOf = ({ [leadingKeys]: keys = [] }: Need['context']): string[] =>
    keys.map(key => distinctPatterns.filter(pattern => matches(pattern, key)).join(' '))

  const check = (caller: Caller, { context, ...need }: Need): Verdict =>
    decide(
      // Local calls do not use TLS; on AWS the SDK always does.
      { ...need, context: { 'aws:SecureTransport': 'true', ...context } },
      caller.service ?? `arn:aws:iam::${accountId}:role/${caller.role}`,
      rolePolicies.get(caller.role) ?? [],
      resourcePolicies.get(need.resource),
    )

  return { principal, check, keysOf }
}

const leadingKeys = 'dynamodb:LeadingKeys'

/** The patterns for leading keys in a statement's conditions. */
const patternsOf = ({ Condition }: RolePolicy['Statement'][number]): string[] =>
  Object.values(Condition).flatMap(keys => keys?.[leadingKeys] ?? [])
