// The address follows the state: typing replaces the current history entry, every other change adds one.
import { readFragment, type State, toFragment } from './state.ts'

/** `typed`: a single letter. `done`: a change that Back undoes, such as a fix or an example. */
export type ChangeKind = 'typed' | 'done'

export type AddressSync = { write(state: State, kind: ChangeKind): void; close(): void }

/** Milliseconds. Safari throws at the 101st change of the address within 30 seconds; other browsers ignore surplus changes. */
const pause = 400

/** Whether a fragment contains a state; others are anchors. */
const isOurs = (hash: string) => /^(?:#?$|#(?:q|limits)=)/.test(hash)

/** Keeps address and state equal. @param show receives the state after the address was changed */
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
      // Too many changes, or too long an address for this browser: the next change retries.
    }
  }
  const flush = () => timer !== undefined && put('replaceState')

  const follow = () => {
    clearTimeout(timer)
    timer = undefined
    // The text still has its secrets, which the address lacks.
    if (location.hash === toFragment(current)) return
    if (!isOurs(location.hash)) {
      // The page went to an anchor: the query returns to the address, if there is one.
      if (toFragment(current) !== '') put('replaceState')
      return
    }
    current = readFragment(location.hash)
    show(current)
  }

  // The opened address may contain a secret.
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
