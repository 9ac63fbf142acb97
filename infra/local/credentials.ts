import { randomBytes } from 'node:crypto'
import type { FunctionPlan } from './plan.ts'

/** What a function signs its calls to AWS with. */
export interface Credential {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string
}

/** A credential of its own for each function, new at every start. */
export class Credentials {
  readonly #holders = new Map<string, FunctionPlan>()
  readonly #credentials = new Map<FunctionPlan, Credential>()

  constructor(functions: readonly FunctionPlan[]) {
    for (const holder of functions) {
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

  holder(accessKeyId: string): FunctionPlan | undefined {
    return this.#holders.get(accessKeyId)
  }

  of(holder: FunctionPlan): Credential {
    const credential = this.#credentials.get(holder)
    if (!credential) throw new Error(`${holder.label} holds no credential`)
    return credential
  }
}
