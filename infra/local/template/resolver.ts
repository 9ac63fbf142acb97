import { StartError } from '../start-error.ts'
import { type Identity, identities, type Place } from './resources.ts'
import type { Json, JsonObject, Template } from './template.ts'

/** Stands for `AWS::NoValue`: whatever has it as its value is left out. */
const nothing = Symbol('AWS::NoValue')
type Resolved = Json | typeof nothing

/**
 * Puts values in place of a template's intrinsic functions, as CloudFormation does
 * (AWS CloudFormation, "Intrinsic function reference").
 */
export class Resolver {
  readonly #template: Template
  readonly #identities = new Map<string, Identity>()
  readonly #pseudo: Record<string, Resolved>

  /** @throws {StartError} when the template holds a type of resource that is unknown here */
  constructor(template: Template, place: Place) {
    this.#template = template
    this.#pseudo = {
      'AWS::AccountId': place.accountId,
      'AWS::NoValue': nothing,
      'AWS::Partition': 'aws',
      'AWS::Region': place.region,
      'AWS::StackId': place.arn('cloudformation', `stack/${place.stackName}/local`),
      'AWS::StackName': place.stackName,
      'AWS::URLSuffix': 'amazonaws.com',
    }
    for (const [id, resource] of Object.entries(template.Resources)) {
      const identify = identities.get(resource.Type)
      if (!identify) throw new StartError(`${id} cannot be run here: its type ${resource.Type} is not known`)
      this.#identities.set(id, identify(id, place, resource.Properties ?? {}))
    }
  }

  /** @throws {StartError} */
  resolve(value: Json): Json {
    const resolved = this.#resolve(value)
    return resolved === nothing ? null : resolved
  }

  /** The properties of a resource, resolved. */
  properties(id: string): JsonObject {
    return this.resolve(this.#template.Resources[id]?.Properties ?? {}) as JsonObject
  }

  ref(id: string): string {
    const { ref } = this.#identity(id)
    return ref
  }

  attribute(id: string, name: string): string {
    const value = this.#identity(id).attributes[name]
    if (value === undefined) throw new StartError(`${id}: its ${name} is not known on one machine`)
    return value
  }

  #identity(id: string): Identity {
    const identity = this.#identities.get(id)
    if (!identity) throw new StartError(`the template names ${id}, which it does not hold`)
    return identity
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
      case 'Fn::Sub': {
        const [text, values] = typeof argument === 'string' ? [argument, {}] : (argument as [string, JsonObject])
        return this.#substitute(text, values)
      }
      default:
        throw new StartError(`the template uses ${name}, which is not known here`)
    }
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
