import { runSimulation } from '@cloud-copilot/iam-simulate'
import type { StackDefinition } from '../template/read-stack.ts'
import type { Deployment } from '../template/return-values.ts'
import type { JsonObject } from '../template/template.ts'
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
  /** The patterns of leading keys in the policies: keys that the same ones match have the same verdict. */
  const keyPatterns = patternsOf(policies)
  const principal = ({ role, name }: Caller): string => `arn:aws:sts::${accountId}:assumed-role/${role}/${name}`

  /** The patterns that match each of a call's leading keys. */
  const keysOf = ({ [leadingKeys]: keys = [] }: Need['context']): string[] =>
    [keys].flat().map(key => keyPatterns.flatMap(({ pattern, form }) => (form.test(key) ? [pattern] : [])).join(' '))

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

  /**
   * Whether a caller may do something. Evaluated once per caller, action, resource and condition values; of leading keys,
   * which are many, once per set of patterns.
   */
  function check(caller: Caller, { context, ...need }: Need): Promise<Verdict> {
    const relevant = Object.entries(context).filter(([key]) => conditionKeys.has(key))
    const told = relevant.map(([name, value]) => [name, name === leadingKeys ? keysOf(context) : value])
    const key = JSON.stringify([caller.name, need.action, need.resource, told])
    const verdict = verdicts.get(key) ?? decide(caller, { ...need, context: Object.fromEntries(relevant) })
    verdicts.set(key, verdict)
    return verdict
  }

  return { principal, check, keysOf }
}

const leadingKeys = 'dynamodb:LeadingKeys'

/** Every pattern that a condition compares leading keys with (AWS IAM, "String condition operators"). */
function patternsOf(policies: readonly JsonObject[]): { pattern: string; form: RegExp }[] {
  const patterns = new Set<string>()
  JSON.stringify(policies, (name, value) => {
    if (name === leadingKeys) for (const pattern of [value].flat()) patterns.add(String(pattern))
    return value
  })
  const wildcards: Record<string, string> = { '*': '.*', '?': '.' }
  const sourceOf = (pattern: string) =>
    pattern.replace(/[\\^$.*+?()[\]{}|]/g, character => wildcards[character] ?? `\\${character}`)
  return [...patterns].map(pattern => ({ pattern, form: new RegExp(`^${sourceOf(pattern)}$`) }))
}

function verdictOf(result: string): Verdict {
  if (result === 'Allowed') return 'allowed'
  return result === 'ExplicitlyDenied' ? 'a policy denies it' : 'no policy allows it'
}
