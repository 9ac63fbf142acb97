import { StartError } from '../start-error.ts'
import { type Deployment, type ReturnValues, returnValues } from './return-values.ts'
import type { Json, JsonObject, Template } from './template.ts'

/** `AWS::NoValue`: a member with this value is removed. */
const nothing = Symbol('AWS::NoValue')
type Resolved = Json | typeof nothing

/**
 * Replaces a template's intrinsic functions by their values, as CloudFormation does (AWS CloudFormation, "Intrinsic
 * function reference").
 */
export class Resolver {
  readonly #template: Template
  readonly #returnValues = new Map<string, ReturnValues>()
  readonly #pseudo: Record<string, Resolved>

  /** @throws {StartError} if the template has a resource of an unsupported type */
  constructor(template: Template, deployment: Deployment) {
    this.#template = template
    this.#pseudo = {
      'AWS::AccountId': deployment.accountId,
      'AWS::NoValue': nothing,
      'AWS::Partition': 'aws',
      'AWS::Region': deployment.region,
      'AWS::StackId': deployment.arn('cloudformation', `stack/${deployment.stackName}/local`),
      'AWS::StackName': deployment.stackName,
      'AWS::URLSuffix': 'amazonaws.com',
    }
    for (const [id, resource] of Object.entries(template.Resources)) {
      const returnValuesOf = returnValues.get(resource.Type)
      if (!returnValuesOf) throw new StartError(`npm start does not support ${id}: its type is ${resource.Type}`)
      this.#returnValues.set(id, returnValuesOf(id, deployment, resource.Properties ?? {}))
    }
  }

  /** @throws {StartError} */
  resolve(value: Json): Json {
    const resolved = this.#resolve(value)
    return resolved === nothing ? null : resolved
  }

  properties(id: string): JsonObject {
    return this.resolve(this.#template.Resources[id]?.Properties ?? {}) as JsonObject
  }

  ref(id: string): string {
    const { ref } = this.#returnValuesOf(id)
    return ref
  }

  attribute(id: string, name: string): string {
    const value = this.#returnValuesOf(id).attributes[name]
    if (value === undefined) throw new StartError(`npm start does not know ${id}.${name}, which the template refers to`)
    return value
  }

  #returnValuesOf(id: string): ReturnValues {
    const values = this.#returnValues.get(id)
    if (!values) throw new StartError(`the template refers to ${id}, which is not in it`)
    return values
  }

  #resolve(value: Json): Resolved {
    if (Array.isArray(value)) return value.map(item => this.#resolve(item)).filter(item => item !== nothing)
    if (value === null || typeof value !== 'object') return value
    const [[name, argument] = ['', null], ...others] = Object.entries(value)
    if (others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'))) return this.#call(name, argument)
    const members = Object.entries(value).map(([member, inner]) => [member, this.#resolve(inner)] as const)
    return Object.fromEntries(members.filter(([, inner]) => inner !== nothing)) as JsonObject
  }

  #call(name: string, argument: Json): Resolved {
    switch (name) {
      case 'Ref':
        return this.#ref(String(argument))
      case 'Fn::GetAtt': {
        const [id = '', ...path] = typeof argument === 'string' ? argument.split('.') : (argument as string[])
        return this.attribute(id, path.join('.'))
      }
      case 'Fn::Join': {
        const [separator, parts] = this.resolve(argument) as [string, string[]]
        return parts.join(separator)
      }
      case 'Fn::Select': {
        const [index, list] = this.resolve(argument) as [number | string, Json[]]
        return list[Number(index)] ?? null
      }
      case 'Fn::Split': {
        const [separator, text] = this.resolve(argument) as [string, string]
        return text.split(separator)
      }
      case 'Fn::FindInMap': {
        const keys = this.resolve(argument) as [map: string, top: string, second: string]
        const [map, top, second] = keys
        const value = this.#template.Mappings?.[map]?.[top]?.[second]
        if (value === undefined) throw new StartError(`the template has no ${keys.join('.')} in its mappings`)
        return value
      }
      case 'Fn::If': {
        const [name, met, unmet] = argument as [string, Json, Json]
        return this.#resolve(this.#isMet(name) ? met : unmet)
      }
      case 'Fn::Equals': {
        const [one, other] = this.resolve(argument) as [Json, Json]
        return one === other
      }
      case 'Fn::Sub': {
        const [text, values] = typeof argument === 'string' ? [argument, {}] : (argument as [string, JsonObject])
        return this.#substitute(text, values)
      }
      default:
        throw new StartError(`npm start does not support ${name}, which the template uses`)
    }
  }

  #isMet(name: string): boolean {
    const condition = this.#template.Conditions?.[name]
    if (condition === undefined) throw new StartError(`the template has no condition ${name}`)
    return this.resolve(condition) === true
  }

  #ref(name: string): Resolved {
    if (name in this.#pseudo) return this.#pseudo[name] ?? null
    const parameter = this.#template.Parameters?.[name]
    return parameter ? (parameter.Default ?? null) : this.ref(name)
  }

  #substitute(text: string, values: JsonObject): string {
    return text.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`
      const value = values[name]
      if (value !== undefined) return String(this.resolve(value))
      return String(name.includes('.') ? this.#call('Fn::GetAtt', name) : this.#ref(name))
    })
  }
}
