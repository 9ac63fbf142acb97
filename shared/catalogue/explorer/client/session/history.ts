// The address of the page follows what it is about: typing changes it, everything else leaves a step to go back to.
import { readFragment, type State, toFragment } from './state.ts'

/** `typed`: one letter of many. `done`: something that one may want back, such as a fix or an example. */
export type How = 'typed' | 'done'

export type Steps = { write(state: State, how: How): void; close(): void }

/** ms. Safari throws at the 101st change of the address within 30 seconds; the others ignore what is too much. */
const pause = 400

/** Fragments that are anchors of the page say nothing of the query. */
const isOurs = (hash: string) => /^(?:#?$|#(?:q|limits)=)/.test(hash)

/** Writes each state into the address. @param show is given what the address says after somebody changed it */
export function openSteps(first: State, show: (state: State) => void): Steps {
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
      // A browser that has had enough, or an address that is too long for it: the next change is written again.
    }
  }
  const flush = () => timer !== undefined && put('replaceState')

  const follow = () => {
    clearTimeout(timer)
    timer = undefined
    // The text that is there has its secrets yet, and the address does not.
    if (location.hash === toFragment(current)) return
    if (!isOurs(location.hash)) {
      // The page has gone to an anchor: the query comes back into the address, if there is one.
      if (toFragment(current) !== '') put('replaceState')
      return
    }
    current = readFragment(location.hash)
    show(current)
  }

  // Who opened the page may have written a secret into its address.
  if (isOurs(location.hash)) put('replaceState')

  addEventListener('popstate', follow)
  addEventListener('hashchange', follow)
  addEventListener('pagehide', flush)

  return {
    write(state, how) {
      if (how === 'done') flush()
      current = state
      if (how === 'done') put('pushState')
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
