/**
 * The page of a verification link tells the browser's other tabs that an address was verified, so that one in which somebody
 * waits for that goes on. The message says nothing more: only pages of the same origin hear it, and each finds out from the
 * API what it may do.
 */

const name = 'address-verified'

export const tellVerified = (): void => new BroadcastChannel(name).postMessage(null)

export function whenVerified(act: () => void): void {
  new BroadcastChannel(name).addEventListener('message', act)
}
