/**
 * A verification link's page tells the browser's other tabs that an address was verified, so that a waiting one
 * continues. The message says nothing more: only pages of the same origin hear it, and each asks the API what it may
 * do.
 */

import { promptly, within } from './within.ts'

const name = 'address-verified'

export function tellVerified(): void {
  within(promptly, () => new BroadcastChannel(name).postMessage(null)).catch(() => {})
}

export function whenVerified(act: () => void): void {
  within(promptly, () => new BroadcastChannel(name).addEventListener('message', act)).catch(() => {})
}
