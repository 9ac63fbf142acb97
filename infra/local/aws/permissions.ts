import { runSimulation } from '@cloud-copilot/iam-simulate'
import type { Plan } from '../template/plan.ts'
import type { Place } from '../template/resources.ts'
import type { Caller } from './credentials.ts'
import type { Need } from './protocols.ts'

type Verdict = 'allowed' | 'no policy allows it' | 'a policy denies it'

/**
 * Decides by IAM's own rules (AWS IAM, "Policy evaluation logic") what a caller may do: its own policies and the
 * resource's, both from the template. It does not see what only AWS knows: service control policies, SES's rules about
 * recipients, verified identities.
 */
export class Permissions {
  readonly #place: Place
  readonly #resourcePolicies: Plan['resourcePolicies']
  readonly #verdicts = new Map<string, Verdict>()
  /** The condition keys that any policy speaks of: others cannot change a verdict. */
  readonly #conditionKeys: ReadonlySet<string>

  constructor(callers: readonly Caller[], { resourcePolicies }: Plan, place: Place) {
    this.#place = place
    this.#resourcePolicies = resourcePolicies
    const policies = [...callers.flatMap(one => one.policies.map(({ policy }) => policy)), ...resourcePolicies.values()]
    this.#conditionKeys = new Set(JSON.stringify(policies).match(/\b[a-z]+:[A-Z]\w+/g) ?? [])
  }

  /** Whether a caller may do something. Asked once per caller, action, resource and conditions. */
  check(caller: Caller, { action, resource, context }: Need): Verdict | Promise<Verdict> {
    const relevant = Object.entries(context).filter(([key]) => this.#conditionKeys.has(key))
    const question = `${caller.name} ${action} ${resource} ${relevant.length > 0 ? JSON.stringify(relevant) : ''}`
    return (
      this.#verdicts.get(question) ?? this.#decide(question, caller, action, resource, Object.fromEntries(relevant))
    )
  }

  /** The principal, as refusals name it. */
  principal({ role, name }: Caller): string {
    return `arn:aws:sts::${this.#place.accountId}:assumed-role/${role}/${name}`
  }

  async #decide(
    question: string,
    caller: Caller,
    action: string,
    resource: string,
    context: Need['context'],
  ): Promise<Verdict> {
    const simulated = await runSimulation(
      {
        request: {
          action,
          principal: this.principal(caller),
          resource: { resource, accountId: this.#place.accountId },
          // Here calls stay on the machine; on AWS the SDK knows nothing but TLS.
          contextVariables: { 'aws:SecureTransport': 'true', ...context },
        },
        identityPolicies: [...caller.policies],
        serviceControlPolicies: [],
        resourceControlPolicies: [],
        resourcePolicy: this.#resourcePolicies.get(resource),
      },
      {},
    )
    const verdict = verdictOf(simulated.resultType === 'error' ? 'ImplicitlyDenied' : simulated.overallResult)
    this.#verdicts.set(question, verdict)
    return verdict
  }
}

function verdictOf(result: string): Verdict {
  if (result === 'Allowed') return 'allowed'
  return result === 'ExplicitlyDenied' ? 'a policy denies it' : 'no policy allows it'
}
