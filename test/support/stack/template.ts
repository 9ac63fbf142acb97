import type { CfnElement } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import type { Construct } from 'constructs'
import { readSettings } from '../../../infra/settings/settings.ts'
import { settingsWarnings } from '../../../infra/settings/warnings.ts'
import { createApp } from '../../../infra/synthesize.ts'
import type { FunctionName } from '../../../shared/api/routes.ts'

export interface Resource {
  Type: string
  Properties: Record<string, unknown>
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
  DependsOn?: string[]
}

interface Statement {
  Effect: string
  Action: string | string[]
  Resource: unknown
  Condition?: unknown
}

const synthesized = new Map<string, ReturnType<typeof synthesizeAnew>>()

/** The template that a deploy with these settings would send, with functions by which tests read it. None may change it. */
export function synthesize(env: Record<string, string | undefined> = {}) {
  const key = JSON.stringify(Object.entries(env).sort())
  const stack = synthesized.get(key) ?? synthesizeAnew(env)
  synthesized.set(key, stack)
  return stack
}

function synthesizeAnew(env: Record<string, string | undefined>) {
  const settings = readSettings(env)
  const { stack } = createApp({ settings, warnings: settingsWarnings(settings, env), validate: false })
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
  const functionId = (name: FunctionName): string => idOf(stack.functions[name].lambda)

  /** The statements of the role that a function runs with. */
  const statements = (name: FunctionName): Statement[] => {
    const { Role } = resource(functionId(name)).Properties
    return all('AWS::IAM::Policy')
      .filter(([, { Properties }]) => list(Properties.Roles).some(role => `<${refOf(role)}.Arn>` === inText(Role)))
      .flatMap(([, { Properties }]) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement)
  }

  /** The logical id of the role that a function runs with. */
  const roleId = (name: FunctionName): string => idOf(stack.functions[name].role)

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
    /** What a function may do, as `<action> on <resource>`, each pair once. */
    permissions: (name: FunctionName): string[] =>
      statements(name)
        .flatMap(({ Action, Resource }) =>
          list(Action).flatMap(action => list(Resource).map(arn => `${action} on ${inText(arn)}`)),
        )
        .sort(),
  }
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

const refOf = (expression: unknown): unknown => (expression as { Ref?: unknown }).Ref

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
