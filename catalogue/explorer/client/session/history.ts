// The address follows the state: typing replaces the current history entry, every other change adds one.
import { readFragment, type State, toFragment } from './state.ts'

/** `typed`: one letter of many. `done`: a whole change that Back undoes, such as a fix or an example. */
export type ChangeKind = 'typed' | 'done'

export type AddressSync = { write(state: State, kind: ChangeKind): void; close(): void }

/** ms. Safari throws at the 101st change of the address within 30 seconds; other browsers ignore surplus changes. */
const pause = 400

/** Whether a fragment holds a state; others are anchors of the page. */
const isOurs = (hash: string) => /^(?:#?$|#(?:q|limits)=)/.test(hash)

/** Keeps the address and the state the same. @param show receives the state after somebody changed the address */
export function syncAddress(first: State, show: (state: State) => void): AddressSync {
  let current = first
  let timer: ReturnType<typeof setTimeout> | undefined

  const put = (method: 'pushState' | 'replaceState') => {
    clearTimeout(timer)
    timer = undefined
    const fragment = toFragment(current)
    if (fragment === location.hash) return
    try {
      history[method](null, '', fragment || location.pathname + location.search)
    } catch {
      // Too many changes, or too long an address for this browser: the next change tries again.
    }
  }
  const flush = () => timer !== undefined && put('replaceState')

  const follow = () => {
    clearTimeout(timer)
    timer = undefined
    // The current text still has its secrets; the address does not have them.
    if (location.hash === toFragment(current)) return
    if (!isOurs(location.hash)) {
      // The page has gone to an anchor: the query comes back into the address, if there is one.
      if (toFragment(current) !== '') put('replaceState')
      return
    }
    current = readFragment(location.hash)
    show(current)
  }

  // Whoever opened the page may have written a secret into its address.
  if (isOurs(location.hash)) put('replaceState')

  addEventListener('popstate', follow)
  addEventListener('hashchange', follow)
  addEventListener('pagehide', flush)

  return {
    write(state, kind) {
      if (kind === 'done') flush()
      current = state
      if (kind === 'done') put('pushState')
      else timer ??= setTimeout(put, pause, 'replaceState')
    },
    close() {
      flush()
      removeEventListener('popstate', follow)
      removeEventListener('hashchange', follow)
      removeEventListener('pagehide', flush)
    },
  }
}
