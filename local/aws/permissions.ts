import { runSimulation } from '@cloud-copilot/iam-simulate'
import type { StackDefinition } from '../template/read-stack.ts'
import type { Deployment } from '../template/return-values.ts'
import type { Caller } from './credentials.ts'
import type { Need } from './protocols.ts'

type Verdict = 'allowed' | 'no policy allows it' | 'a policy denies it'

/**
 * Decides by IAM's rules what a caller may do (AWS IAM, "Policy evaluation logic"), from the caller's policies and the
 * resource's policy in the template. It does not know what only AWS knows: service control policies, SES's rules about
 * recipients, and verified identities.
 */
export function permissionsOf(
  callers: readonly Caller[],
  { resourcePolicies }: StackDefinition,
  { accountId }: Deployment,
) {
  const verdicts = new Map<string, Promise<Verdict>>()
  const policies = [
    ...callers.flatMap(caller => caller.policies.map(({ policy }) => policy)),
    ...resourcePolicies.values(),
  ]
  /** The condition keys in the policies: others cannot change a verdict. Actions match too, which does no harm. */
  const conditionKeys = new Set(JSON.stringify(policies).match(/\b[a-z]+:[A-Z]\w+/g) ?? [])
  const principal = ({ role, name }: Caller): string => `arn:aws:sts::${accountId}:assumed-role/${role}/${name}`

  async function decide(caller: Caller, { action, resource, context }: Need): Promise<Verdict> {
    const simulated = await runSimulation(
      {
        request: {
          action,
          principal: principal(caller),
          resource: { resource, accountId },
          contextVariables: {
            // Local calls do not use TLS; on AWS the SDK always does.
            'aws:SecureTransport': 'true',
            // For a session, this is the role's ARN (AWS IAM, "Global condition keys").
            'aws:PrincipalArn': `arn:aws:iam::${accountId}:role/${caller.role}`,
            ...context,
          },
        },
        identityPolicies: [...caller.policies],
        serviceControlPolicies: [],
        resourceControlPolicies: [],
        resourcePolicy: resourcePolicies.get(resource),
      },
      {},
    )
    return verdictOf(simulated.resultType === 'error' ? 'ImplicitlyDenied' : simulated.overallResult)
  }

  /** Whether a caller may do something. Evaluated once per caller, action, resource and condition values. */
  function check(caller: Caller, { context, ...need }: Need): Promise<Verdict> {
    const relevant = Object.entries(context).filter(([key]) => conditionKeys.has(key))
    const key = JSON.stringify([caller.name, need.action, need.resource, relevant])
    const verdict = verdicts.get(key) ?? decide(caller, { ...need, context: Object.fromEntries(relevant) })
    verdicts.set(key, verdict)
    return verdict
  }

  return { principal, check }
}

function verdictOf(result: string): Verdict {
  if (result === 'Allowed') return 'allowed'
  return result === 'ExplicitlyDenied' ? 'a policy denies it' : 'no policy allows it'
}
