/**
 * The page of a verification link tells the browser's other tabs that an address was verified, so that one in which somebody
 * waits for that goes on. The message says nothing more: only pages of the same origin hear it, and each finds out from the
 * API what it may do.
 */

import { promptly, within } from './within.ts'

const name = 'address-verified'

export function tellVerified(): void {
  within(promptly, () => new BroadcastChannel(name).postMessage(null)).catch(() => {})
}

export function whenVerified(act: () => void): void {
  within(promptly, () => new BroadcastChannel(name).addEventListener('message', act)).catch(() => {})
}
