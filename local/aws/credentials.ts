import { randomBytes } from 'node:crypto'
import type { FunctionDefinition } from '../template/read-stack.ts'

/** A caller of AWS: a function, an operator's command, or an AWS service. */
export type Caller = Pick<FunctionDefinition, 'label' | 'name' | 'role' | 'policies'> & {
  /** The principal of a service that calls as itself, such as `apigateway.amazonaws.com`. */
  service?: string
}

export interface Credential {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string
}

/** One credential per caller, new at each start. */
export function issueCredentials(callers: readonly Caller[]) {
  const all = new Map(callers.map(holder => [holder, newCredential()]))
  return {
    holder: (accessKeyId: string): Caller | undefined =>
      callers.find(caller => all.get(caller)?.accessKeyId === accessKeyId),
    of(holder: Caller): Credential {
      const credential = all.get(holder)
      if (!credential) throw new Error(`${holder.label} has no credential`)
      return credential
    },
  }
}

const newCredential = (): Credential => ({
  // ASIA: temporary, as Lambda's are (AWS IAM, "IAM identifiers").
  accessKeyId: `ASIA${randomBytes(8).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString('base64'),
  sessionToken: randomBytes(30).toString('base64'),
})
