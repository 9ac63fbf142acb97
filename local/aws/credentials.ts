import { randomBytes } from 'node:crypto'
import type { FunctionDefinition } from '../template/definitions.ts'

/** A caller of AWS: a function, or an operator who runs a command. */
export type Caller = Pick<FunctionDefinition, 'label' | 'name' | 'role' | 'policies'>

/** The credential that a caller signs its calls to AWS with. */
export interface Credential {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string
}

/** One credential per caller, new at each start. */
export class Credentials {
  readonly #holders = new Map<string, Caller>()
  readonly #credentials = new Map<Caller, Credential>()

  constructor(callers: readonly Caller[]) {
    for (const holder of callers) {
      // ASIA: temporary, as Lambda's are (AWS IAM, "IAM identifiers").
      const accessKeyId = `ASIA${randomBytes(8).toString('hex').toUpperCase()}`
      this.#holders.set(accessKeyId, holder)
      this.#credentials.set(holder, {
        accessKeyId,
        secretAccessKey: randomBytes(30).toString('base64'),
        sessionToken: randomBytes(30).toString('base64'),
      })
    }
  }

  holder(accessKeyId: string): Caller | undefined {
    return this.#holders.get(accessKeyId)
  }

  of(holder: Caller): Credential {
    const credential = this.#credentials.get(holder)
    if (!credential) throw new Error(`${holder.label} has no credential`)
    return credential
  }
}
