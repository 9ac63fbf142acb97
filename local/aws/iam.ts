import * as v from 'valibot'

/**
 * Decides what a role may do with a resource of its account, by the policies of both (AWS IAM, "Policy evaluation
 * logic"). The schemas refuse policies that this cannot decide. Service control policies, permissions boundaries and
 * session policies are not modelled.
 */

/** Condition keys with one value in a request. */
const singleKeys = [
  'aws:PrincipalArn',
  'aws:SecureTransport',
  'aws:SourceAccount',
  'aws:SourceArn',
  'iam:AWSServiceName',
  'iam:PassedToService',
  'iam:PolicyARN',
  'kms:MessageType',
  'kms:SigningAlgorithm',
  'ses:ApiVersion',
  'ses:FromAddress',
  'ses:FromDisplayName',
] as const

/** Condition keys with several values: only set operators compare them. */
const setKeys = ['dynamodb:Attributes', 'dynamodb:LeadingKeys', 'kms:EncryptionContextKeys', 'ses:Recipients'] as const

export interface Need {
  /** As in IAM: `dynamodb:GetItem`. */
  action: string
  /** ARN, or `*` for an action without a resource. */
  resource: string
  /** A key without a value is absent. */
  context: Partial<Record<(typeof singleKeys)[number], string> & Record<(typeof setKeys)[number], string[]>>
}

export type Verdict = 'allowed' | 'no policy allows it' | 'a policy denies it'

/** Whether a text matches a pattern, in which `*` is any text and `?` any character. */
export function matches(pattern: string, text: string, flags = ''): boolean {
  const wildcards: Record<string, string> = { '*': '.*', '?': '.' }
  const source = pattern.replace(/[\\^$.*+?()[\]{}|]/g, character => wildcards[character] ?? `\\${character}`)
  return new RegExp(`^${source}$`, `s${flags}`).test(text)
}

/** The same for ARNs, part by part: wildcards do not cross parts (AWS IAM, "ARN condition operators"). */
function matchesArn(pattern: string, arn: string): boolean {
  const partsOf = (text: string) => [...text.split(':', 5), text.split(':').slice(5).join(':')]
  const parts = partsOf(arn)
  return partsOf(pattern).every((part, at) => matches(part, parts[at] ?? ''))
}

const isSame = (expected: string, value: string): boolean => expected === value

/** Whether a condition holds for its key's values. @param values absent without the key @param isListed in the policy */
type Holds = (values: string[] | undefined, isListed: (value: string) => boolean) => boolean
const some: Holds = (values = [], isListed) => values.some(isListed)
const all: Holds = (values = [], isListed) => values.every(isListed)
const none: Holds = (values, isListed) => !some(values, isListed)
const notAll: Holds = (values, isListed) => !all(values, isListed)
const someIfThere: Holds = (values, isListed) => !values || some(values, isListed)
const isAbsent: Holds = (values, isListed) => isListed(String(values === undefined))

const Text = v.pipe(
  v.string(),
  v.regex(/^(?!.*\$\{)/s, ({ received }) => `the policy variable in ${received} is not supported`),
)
const textOf = (form: RegExp, complaint: string) =>
  v.pipe(
    Text,
    v.regex(form, ({ received }) => `${received} ${complaint}`),
  )
const Arn = textOf(/^arn(?::[^:]*){4}:./, 'is not a whole ARN')
const Truth = v.picklist(['true', 'false'])

/** The condition operators (AWS IAM, "Condition operators" and "Set operators for multivalued context keys"). */
const operators = {
  StringEquals: { keys: singleKeys, listed: Text, compare: isSame, holds: some },
  ArnLike: { keys: singleKeys, listed: Arn, compare: matchesArn, holds: some },
  ArnLikeIfExists: { keys: singleKeys, listed: Arn, compare: matchesArn, holds: someIfThere },
  ArnNotEquals: { keys: singleKeys, listed: Arn, compare: matchesArn, holds: none },
  Bool: { keys: singleKeys, listed: Truth, compare: isSame, holds: some },
  Null: { keys: [...singleKeys, ...setKeys], listed: Truth, compare: isSame, holds: isAbsent },
  'ForAllValues:StringEquals': { keys: setKeys, listed: Text, compare: isSame, holds: all },
  'ForAllValues:StringNotEquals': { keys: setKeys, listed: Text, compare: isSame, holds: none },
  'ForAllValues:StringLike': { keys: setKeys, listed: Text, compare: matches, holds: all },
  'ForAnyValue:StringNotEquals': { keys: setKeys, listed: Text, compare: isSame, holds: notAll },
}

const list = (text: v.GenericSchema<string>) =>
  v.pipe(
    v.union([text, v.array(text)]),
    v.transform(texts => [texts].flat()),
  )

/** An object that refuses unknown members, by name. @param what each member is */
function closed<const E extends v.ObjectEntries>(what: string, entries: E) {
  const unknown = (input: unknown) => Object.keys(Object(input)).filter(name => !Object.hasOwn(entries, name))
  const Known = v.custom<v.InferInput<v.ObjectSchema<E, undefined>>>(
    input => unknown(input).length === 0,
    ({ input }) => `the ${what} ${unknown(input).join(', ')} is not supported`,
  )
  return v.pipe(Known, v.object(entries))
}

const Condition = closed(
  'operator',
  Object.fromEntries(
    Object.entries(operators).map(([name, { keys, listed }]) => {
      const entries = keys.map(key => [key, v.optional(list(listed))] as const)
      return [name, v.optional(closed('condition key', Object.fromEntries(entries)))]
    }),
  ),
)
const elements = {
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: list(textOf(/^(?:\*|[a-z\d-]+:.+)$/, 'is not an action')),
  Resource: list(textOf(/^(?:\*$|arn(?::[^:]*){4}:.)/, 'is not a whole ARN')),
  Condition: v.optional(Condition, {}) as v.GenericSchema<unknown, Partial<Record<string, Record<string, string[]>>>>,
}
/** Everyone, whole accounts, or services. */
const Principals = closed('kind of principal', {
  AWS: v.optional(list(textOf(/^(?:\*|arn:[^:]+:iam::\d+:root)$/, 'is not a supported principal')), []),
  Service: v.optional(list(Text), []),
})
const Everyone = v.pipe(
  v.literal('*'),
  v.transform(() => ({ AWS: ['*'], Service: [] as string[] })),
)
const Principal = v.lazy(input => (input === '*' ? Everyone : Principals))

const policyOf = <const E extends v.ObjectEntries>(statement: E) =>
  closed('element', { Version: v.literal('2012-10-17'), Statement: v.array(closed('element', statement)) })

export const RolePolicy = policyOf(elements)
export type RolePolicy = v.InferOutput<typeof RolePolicy>
/** The policy of a key or a queue. */
export const ResourcePolicy = policyOf({ ...elements, Principal })
export type ResourcePolicy = v.InferOutput<typeof ResourcePolicy>
/** The trust policy of a role: its statements name no resource. */
export const TrustPolicy = policyOf({ ...elements, Resource: v.optional(list(v.literal('*')), ['*']), Principal })

/**
 * @param caller a role's ARN, also for its sessions, or a service's principal @param ofResource absent for a resource
 *   without a policy of its own
 */
export function decide(
  { action, resource, context }: Need,
  caller: string,
  ofRole: readonly RolePolicy[],
  ofResource?: ResourcePolicy,
): Verdict {
  const told: Record<string, string | string[] | undefined> = { ...context, 'aws:PrincipalArn': caller }
  const holds = ([name, keys = {}]: [string, Record<string, string[]> | undefined]): boolean =>
    Object.entries(keys).every(([key, texts]) => {
      const { compare, holds } = operators[name as keyof typeof operators]
      const value = told[key]
      return holds(value === undefined ? value : [value].flat(), value => texts.some(text => compare(text, value)))
    })
  const applies = ({ Action, Resource, Condition }: RolePolicy['Statement'][number]): boolean =>
    // Names of actions are not case-sensitive (AWS IAM, "Action").
    Action.some(pattern => matches(pattern, action, 'i')) &&
    Resource.some(pattern => pattern === '*' || matchesArn(pattern, resource)) &&
    Object.entries(Condition).every(holds)

  const account = caller.replace(/:role\/.*/, ':root')
  const naming = (ofResource?.Statement ?? []).filter(({ Principal }) =>
    [...Principal.AWS, ...Principal.Service].some(principal => ['*', account, caller].includes(principal)),
  )
  const own = ofRole.flatMap(({ Statement }) => Statement).filter(applies)
  const others = naming.filter(applies)
  const isAllow = ({ Effect }: { Effect: string }): boolean => Effect === 'Allow'
  if (![...own, ...others].every(isAllow)) return 'a policy denies it'
  const isForCaller = others.some(({ Principal }) => Principal.AWS.includes('*') || Principal.Service.includes(caller))
  // A key needs its own policy's permission, whatever the policies of roles allow (AWS KMS, "Key policies").
  const isForRoles = !/^arn:[^:]+:kms:/.test(resource) || others.length > 0
  return isForCaller || (isForRoles && own.length > 0) ? 'allowed' : 'no policy allows it'
}
