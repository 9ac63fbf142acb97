import type { Grant, KeptGrant } from '../../accounts/application/grant.ts'
import { cloned } from './accounts.ts'

/** The store of grants, as pure functions over a map. A test compares it with the real store. */
export class ModelGrants {
  readonly byKey = new Map<string, KeptGrant>()

  store(key: string, grant: Grant): void {
    if (!this.byKey.has(key)) this.byKey.set(key, cloned({ ...grant, spentBy: null, session: null, isReused: false }))
  }

  find(key: string): KeptGrant | null {
    return cloned(this.byKey.get(key) ?? null)
  }

  spend(key: string, mark: string, session: string | null): boolean {
    const kept = this.byKey.get(key)
    if (!kept || kept.isReused || (kept.spentBy !== null && kept.spentBy !== mark)) return false
    Object.assign(kept, { spentBy: mark, session: session ?? kept.session })
    return true
  }

  markReused(key: string): KeptGrant | null {
    const kept = this.byKey.get(key)
    if (!kept || kept.spentBy === null) return null
    kept.isReused = true
    return cloned(kept)
  }
}
