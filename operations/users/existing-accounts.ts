import type { AccountItem } from '../../accounts/account/attributes.ts'
import type { AccountTable } from './table.ts'

const attributes = [
  'email',
  'id',
  'created_at',
  'is_verified',
  'invited_until',
  'passkey_handle',
  'identities',
] as const satisfies (keyof AccountItem)[]

export type ExistingAccount = Pick<AccountItem, (typeof attributes)[number]>

/** The accounts that one scan of the table found. The table has no index by id: only a scan tells whether an id is taken. */
export class ExistingAccounts {
  readonly #byAddress = new Map<string, ExistingAccount>()
  readonly #addressById = new Map<string, string>()
  readonly #handles = new Set<string>()
  readonly #addressByIdentity = new Map<string, string>()

  /** @throws the reason of the signal */
  async read(table: AccountTable, signal?: AbortSignal): Promise<void> {
    for await (const page of table.pages(attributes)) {
      signal?.throwIfAborted()
      for (const account of page) {
        this.#byAddress.set(account.email, account)
        this.#addressById.set(account.id, account.email)
        if (account.passkey_handle !== undefined) this.#handles.add(account.passkey_handle)
        for (const key of Object.keys(account.identities ?? {})) this.#addressByIdentity.set(key, account.email)
      }
    }
  }

  get count(): number {
    return this.#byAddress.size
  }

  find(email: string): ExistingAccount | null {
    return this.#byAddress.get(email) ?? null
  }

  /** The address of the account with an id. */
  addressOf(id: string): string | null {
    return this.#addressById.get(id) ?? null
  }

  /** Whether passkeys of an account have a handle. */
  hasHandle(handle: string): boolean {
    return this.#handles.has(handle)
  }

  /** The address of the account that has an identity. */
  holderOf(key: string): string | null {
    return this.#addressByIdentity.get(key) ?? null
  }
}
