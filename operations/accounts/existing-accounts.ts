import type { AccountItem } from '../../shared/store/account-item.ts'
import type { AccountTable } from './table.ts'

const attributes = ['email', 'id', 'created_at', 'is_verified'] as const satisfies (keyof AccountItem)[]

export type PresentAccount = Pick<AccountItem, (typeof attributes)[number]>

/**
 * The accounts of a table as one scan found them. The table has no index by id: only who has read all of it knows
 * whether an id is taken.
 */
export class PresentAccounts {
  readonly #byAddress = new Map<string, PresentAccount>()
  readonly #addressById = new Map<string, string>()

  /** Reads the whole table. */
  async read(table: AccountTable): Promise<void> {
    for await (const page of table.pages(attributes)) {
      for (const account of page) {
        this.#byAddress.set(account.email, account)
        this.#addressById.set(account.id, account.email)
      }
    }
  }

  get count(): number {
    return this.#byAddress.size
  }

  find(email: string): PresentAccount | null {
    return this.#byAddress.get(email) ?? null
  }

  /** The address of the account that has an id. */
  holderOf(id: string): string | null {
    return this.#addressById.get(id) ?? null
  }
}
