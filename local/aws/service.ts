import type { JsonObject } from '../template/template.ts'

/** A request to one of AWS's APIs, with its complete body. */
export interface AwsRequest {
  method: string
  /** Without the query. */
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

export interface AwsReply {
  status: number
  headers: Record<string, string>
  body: string
}

export interface AwsCall extends AwsRequest {
  /** The service's name for it: `GetItem`. */
  action: string
  /** The members of a JSON body, or the fields of a form. */
  input: JsonObject
}

export type Service = (call: AwsCall) => Promise<AwsReply>

export class AwsError extends Error {
  readonly status: number
  readonly code: string
  /** Further members of the error's body, beside code and message. */
  readonly members: JsonObject

  constructor(status: number, code: string, message: string, members: JsonObject = {}) {
    super(message)
    this.name = code
    this.status = status
    this.code = code
    this.members = members
  }
}

export const textOf = (input: JsonObject, member: string): string => {
  const value = input[member]
  return typeof value === 'string' ? value : ''
}
