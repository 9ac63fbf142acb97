import type { CfnElement } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import type { Construct } from 'constructs'
import type { FunctionName } from '../../../api/routes.ts'
import type { Place } from '../../../infra/settings/files.ts'
import { readSettings } from '../../../infra/settings/settings.ts'
import { settingsWarnings } from '../../../infra/settings/warnings.ts'
import { createApp } from '../../../infra/synthesize.ts'

export interface Resource {
  Type: string
  Properties: Record<string, unknown>
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
  DependsOn?: string[]
  Condition?: string
}

export interface Statement {
  Effect: string
  Action: string | string[]
  Resource: unknown
  Condition?: unknown
}

const synthesized = new Map<string, ReturnType<typeof synthesizeAnew>>()

/**
 * The template of a deploy with these settings, and functions that read it. Tests must not change it.
 *
 * @param place where the paths in the settings lead from
 */
export function synthesize(env: Record<string, string | undefined> = {}, place?: Place) {
  const key = JSON.stringify([Object.entries(env).sort(), place])
  const stack = synthesized.get(key) ?? synthesizeAnew(env, place)
  synthesized.set(key, stack)
  return stack
}

function synthesizeAnew(env: Record<string, string | undefined>, place: Place | undefined) {
  const settings = readSettings(env, [], place)
  const { stack } = createApp({ settings, warnings: settingsWarnings(settings, env), validate: false, copy: false })
  const template = Template.fromStack(stack).toJSON() as {
    Resources: Record<string, Resource>
    Parameters: Record<string, { Type: string; Default: string }>
    Outputs?: Record<string, { Value: unknown }>
  }

  const all = (type: string): [id: string, resource: Resource][] =>
    Object.entries(template.Resources).filter(([, resource]) => resource.Type === type)

  const resource = (id: string): Resource => {
    const found = template.Resources[id]
    if (!found) throw new Error(`the template has no resource ${id}`)
    return found
  }

  /** The only resource of its type. */
  const only = (type: string): Resource & { id: string } => {
    const [[id, found] = [], ...others] = all(type)
    if (!id || !found || others.length > 0)
      throw new Error(`the template has ${all(type).length} resources of type ${type}`)
    return { ...found, id }
  }

  const idOf = ({ node }: Construct): string => stack.resolve((node.defaultChild as CfnElement).logicalId)

  /** The logical id of a function. */
  const made = (name: FunctionName) => {
    const found = stack.functions[name]
    if (!found) throw new Error(`the stack has no function ${name}`)
    return found
  }

  const functionId = (name: FunctionName): string => idOf(made(name).lambda)

  /** The statements of the role that a function runs with. */
  const statements = (name: FunctionName): Statement[] =>
    policiesOf(template.Resources, functionId(name)).flatMap(({ PolicyDocument }) => PolicyDocument.Statement)

  /** The logical id of the role that a function runs with. */
  const roleId = (name: FunctionName): string => idOf(made(name).role)

  return {
    stack,
    template,
    all,
    only,
    resource,
    functionId,
    roleId,
    statements,
    properties: (id: string) => resource(id).Properties,
    functionProperties: (name: FunctionName) => resource(functionId(name)).Properties,
    /** The environment variables of a function. */
    variables: (name: FunctionName): Record<string, string> => {
      const { Environment } = resource(functionId(name)).Properties
      const { Variables = {} } = (Environment ?? {}) as { Variables?: Record<string, unknown> }
      return Object.fromEntries(Object.entries(Variables).map(([variable, value]) => [variable, inText(value)]))
    },
    /** A function's grants, as `<action> on <resource>`, or `<action> on <table> of <leading keys>`, without duplicates. */
    permissions: (name: FunctionName): string[] => permissionsIn(statements(name)),
  }
}

export interface Policy {
  PolicyName: string
  PolicyDocument: { Statement: Statement[] }
  /** Of a policy shared by roles. */
  Roles?: unknown[]
}

/** The grants of statements, as `<action> on <resource>`, or `<action> on <table> of <leading keys>`. */
export const permissionsIn = (statements: readonly Statement[]): string[] =>
  statements
    .flatMap(({ Action, Resource, Condition }) =>
      list(Action).flatMap(action =>
        list(Resource).flatMap(arn =>
          leadingKeysIn(Condition).map(keys => `${action} on ${inText(arn)}${keys && ` of ${keys}`}`),
        ),
      ),
    )
    .sort()

/** Each leading key of a condition; an empty text without any. */
function leadingKeysIn(condition: unknown): string[] {
  const { 'ForAllValues:StringLike': ofKeys, Null: absence } = (condition ?? {}) as Record<
    string,
    Record<string, unknown>
  >
  if (!ofKeys) return ['']
  // Without it the condition also holds for calls without an item.
  if (absence?.[leadingKeys] !== 'false') throw new Error('a condition on leading keys allows calls without any')
  return list(ofKeys[leadingKeys]).map(key => String(key).replace(/\*$/, '…'))
}

const leadingKeys = 'dynamodb:LeadingKeys'

/** The policies of a function's role: its own, and shared ones. */
export function policiesOf(
  resources: Readonly<Record<string, { Type: string; Properties?: unknown }>>,
  functionId: string,
): Policy[] {
  const { Role } = (resources[functionId]?.Properties ?? {}) as { Role?: unknown }
  const role = inText(Role).replace(/^<|\.Arn>$/g, '')
  const { Policies = [] } = (resources[role]?.Properties ?? {}) as { Policies?: Policy[] }
  const shared = Object.values(resources)
    .filter(({ Type }) => Type === 'AWS::IAM::Policy')
    .map(({ Properties }) => Properties as Policy)
    .filter(({ Roles = [] }) => Roles.some(holder => inText(holder) === `<${role}>`))
  return [...Policies, ...shared]
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** An expression of CloudFormation as one text: `<X>` for a Ref, `<X.Arn>` for an attribute. */
export function inText(expression: unknown): string {
  if (typeof expression !== 'object' || expression === null) return String(expression)
  const [[intrinsic, operand] = []] = Object.entries(expression)
  switch (intrinsic) {
    case 'Ref':
      return `<${operand}>`
    case 'Fn::GetAtt':
      return `<${(operand as string[]).join('.')}>`
    case 'Fn::Join': {
      const [separator, parts] = operand as [string, unknown[]]
      return parts.map(inText).join(separator)
    }
    default:
      throw new Error(`no text for ${JSON.stringify(expression)}`)
  }
}
