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
export class Permissions {
  readonly #deployment: Deployment
  readonly #resourcePolicies: StackDefinition['resourcePolicies']
  readonly #verdicts = new Map<string, Promise<Verdict>>()
  /** The condition keys in the policies: others cannot change a verdict. */
  readonly #conditionKeys: ReadonlySet<string>

  constructor(callers: readonly Caller[], { resourcePolicies }: StackDefinition, deployment: Deployment) {
    this.#deployment = deployment
    this.#resourcePolicies = resourcePolicies
    const policies = [
      ...callers.flatMap(caller => caller.policies.map(({ policy }) => policy)),
      ...resourcePolicies.values(),
    ]
    // Actions match too, which does no harm.
    this.#conditionKeys = new Set(JSON.stringify(policies).match(/\b[a-z]+:[A-Z]\w+/g) ?? [])
  }

  /** Whether a caller may do something. Evaluated once per caller, action, resource and condition values. */
  check(caller: Caller, need: Need): Promise<Verdict> {
    const relevant = Object.entries(need.context).filter(([key]) => this.#conditionKeys.has(key))
    const cacheKey = JSON.stringify([caller.name, need.action, need.resource, relevant])
    const verdict =
      this.#verdicts.get(cacheKey) ?? this.#decide(caller, { ...need, context: Object.fromEntries(relevant) })
    this.#verdicts.set(cacheKey, verdict)
    return verdict
  }

  principal({ role, name }: Caller): string {
    return `arn:aws:sts::${this.#deployment.accountId}:assumed-role/${role}/${name}`
  }

  async #decide(caller: Caller, { action, resource, context }: Need): Promise<Verdict> {
    const simulated = await runSimulation(
      {
        request: {
          action,
          principal: this.principal(caller),
          resource: { resource, accountId: this.#deployment.accountId },
          contextVariables: {
            // Local calls do not use TLS; on AWS the SDK always does.
            'aws:SecureTransport': 'true',
            // For a session, this is the role's ARN (AWS IAM, "Global condition keys").
            'aws:PrincipalArn': `arn:aws:iam::${this.#deployment.accountId}:role/${caller.role}`,
            ...context,
          },
        },
        identityPolicies: [...caller.policies],
        serviceControlPolicies: [],
        resourceControlPolicies: [],
        resourcePolicy: this.#resourcePolicies.get(resource),
      },
      {},
    )
    return verdictOf(simulated.resultType === 'error' ? 'ImplicitlyDenied' : simulated.overallResult)
  }
}

function verdictOf(result: string): Verdict {
  if (result === 'Allowed') return 'allowed'
  return result === 'ExplicitlyDenied' ? 'a policy denies it' : 'no policy allows it'
}
