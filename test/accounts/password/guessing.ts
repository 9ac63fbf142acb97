// Guesses at Ada's password, right and wrong, for tests.
import { guess } from '../../../accounts/password/guesses.ts'
import type { Harness } from '../../support/service/harness.ts'
import { ada } from '../../support/service/people.ts'

export const home = '203.0.113.7'

export const wrong = async () => null
export const right = async () => true as const

/** Guesses with a harness. */
export function guessesAt(harness: Harness) {
  const attempt = (look: () => Promise<true | null> = wrong, clientAddress = home, email: string = ada.email) =>
    guess(harness.deps, { clientAddress, email, find: () => harness.deps.accounts.findByEmail(email) }, look)
  const guessTimes = async (times: number, clientAddress = home) => {
    for (let i = 0; i < times; i++) await attempt(wrong, clientAddress)
  }
  return {
    attempt,
    guessTimes,
    /** Makes a hundred wrong guesses at one address from ten clients, and waits for all of them. */
    async exhaustGuesses() {
      for (let i = 0; i < 10; i++) await guessTimes(10, `198.51.100.${i}`)
      harness.advance(2000)
    },
    /** The number of guesses counted for the only address. */
    async countOf(kind: string) {
      const item = (await harness.items('RateLimits')).find(({ key }) => String(key).startsWith(kind))
      return item?.guesses instanceof Set ? item.guesses.size : 0
    },
  }
}
