import { unsupported } from '../start-error.ts'
import { apiId, type Deployment, type ReturnValues, returnValues } from './return-values.ts'
import type { Json, JsonObject, Template } from './template.ts'

/** `AWS::NoValue`: a member with this value is removed. */
const nothing = Symbol('AWS::NoValue')
type Resolved = Json | typeof nothing

/**
 * Replaces a template's intrinsic functions with their values, as CloudFormation does (AWS CloudFormation, "Intrinsic
 * function reference").
 *
 * @throws {StartError} if the template has an unsupported resource type; its functions throw for unknown parts
 */
export function resolverOf(template: Template, deployment: Deployment) {
  const urlSuffix = 'amazonaws.com'
  const pseudo: Record<string, Resolved> = {
    'AWS::AccountId': deployment.accountId,
    'AWS::NoValue': nothing,
    'AWS::Partition': 'aws',
    'AWS::Region': deployment.region,
    'AWS::StackId': deployment.arn('cloudformation', `stack/${deployment.stackName}/local`),
    'AWS::StackName': deployment.stackName,
    'AWS::URLSuffix': urlSuffix,
  }
  /** The API's address at API Gateway ("Invoke an HTTP API"), which this machine replaces. */
  const apiAddress = `https://${apiId}.execute-api.${deployment.region}.${urlSuffix}`
  const known = new Map<string, ReturnValues>()
  for (const [id, { Type, Properties = {} }] of Object.entries(template.Resources)) {
    const returnValuesOf = returnValues.get(Type)
    if (!returnValuesOf) throw unsupported(`npm start does not support ${id}: its type is ${Type}`)
    known.set(id, returnValuesOf(id, deployment, Properties))
  }

  function valuesOf(id: string): ReturnValues {
    const values = known.get(id)
    if (!values) throw unsupported(`the template refers to ${id}, which is not in it`)
    return values
  }

  function attribute(id: string, name: string): string {
    const value = valuesOf(id).attributes[name]
    if (value === undefined) throw unsupported(`npm start does not know ${id}.${name}, which the template refers to`)
    return value
  }

  function resolve(value: Json): Json {
    const resolved = resolveAny(value)
    return resolved === nothing ? null : resolved
  }

  function resolveAny(value: Json): Resolved {
    if (Array.isArray(value)) return value.map(resolveAny).filter(item => item !== nothing)
    if (value === null || typeof value !== 'object') return value
    const [[name, argument] = ['', null], ...others] = Object.entries(value)
    if (others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'))) return call(name, argument)
    const members = Object.entries(value).map(([member, inner]) => [member, resolveAny(inner)] as const)
    return Object.fromEntries(members.filter(([, inner]) => inner !== nothing)) as JsonObject
  }

  function call(name: string, argument: Json): Resolved {
    switch (name) {
      case 'Ref':
        return refer(String(argument))
      case 'Fn::GetAtt': {
        const [id = '', ...path] = typeof argument === 'string' ? argument.split('.') : (argument as string[])
        return attribute(id, path.join('.'))
      }
      case 'Fn::Join': {
        const [separator, parts] = resolve(argument) as [string, string[]]
        return parts.join(separator).replace(apiAddress, deployment.baseUrl)
      }
      case 'Fn::Select': {
        const [index, list] = resolve(argument) as [number | string, Json[]]
        return list[Number(index)] ?? null
      }
      case 'Fn::Split': {
        const [separator, text] = resolve(argument) as [string, string]
        return text.split(separator)
      }
      case 'Fn::FindInMap': {
        const keys = resolve(argument) as [map: string, top: string, second: string]
        const [map, top, second] = keys
        const value = template.Mappings?.[map]?.[top]?.[second]
        if (value === undefined) throw unsupported(`the template has no ${keys.join('.')} in its mappings`)
        return value
      }
      case 'Fn::If': {
        const [condition, met, unmet] = argument as [string, Json, Json]
        return resolveAny(isMet(condition) ? met : unmet)
      }
      case 'Fn::Equals': {
        const [one, other] = resolve(argument) as [Json, Json]
        return one === other
      }
      case 'Fn::Sub': {
        const [text, values] = typeof argument === 'string' ? [argument, {}] : (argument as [string, JsonObject])
        return substitute(text, values)
      }
      default:
        throw unsupported(`npm start does not support ${name}, which the template uses`)
    }
  }

  function isMet(name: string): boolean {
    const condition = template.Conditions?.[name]
    if (condition === undefined) throw unsupported(`the template has no condition ${name}`)
    return resolve(condition) === true
  }

  function refer(name: string): Resolved {
    if (name in pseudo) return pseudo[name] ?? null
    const parameter = template.Parameters?.[name]
    return parameter ? (parameter.Default ?? null) : valuesOf(name).ref
  }

  const substitute = (text: string, values: JsonObject): string =>
    text.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`
      const value = values[name]
      if (value !== undefined) return String(resolve(value))
      return String(name.includes('.') ? call('Fn::GetAtt', name) : refer(name))
    })

  return {
    resolve,
    attribute,
    ref: (id: string): string => valuesOf(id).ref,
    properties: (id: string) => resolve(template.Resources[id]?.Properties ?? {}) as JsonObject,
  }
}
