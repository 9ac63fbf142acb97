import { afterEach, beforeEach, expect } from 'vitest'
import { type Callback, type Confirmed, exchange } from '../../../accounts/identity/exchange.ts'
import { redirectUriOf } from '../../../accounts/identity/provider.ts'
import type { ExchangeDeps } from '../../../accounts/identity/redemption.ts'
import { network } from '../../../shared/base/network.ts'
import type { AuthEvent, Failure } from '../../../shared/base/system.ts'
import { leaksOf } from '../../support/service/log-law.ts'
import {
  type LyingProvider,
  listedNetwork,
  providerSecrets,
  startLyingProvider,
} from '../../support/service/lying-provider.ts'

const start = Date.parse('2026-03-01T12:00:00.000Z')

/** The verifier that a browser kept. */
export const verifier = 'v'.repeat(43)

/** For each test of a file a provider, and a service with it alone. */
export function startExchanging() {
  let now = start
  let liar: LyingProvider
  let deps: ExchangeDeps
  const called: string[] = []
  const events: (AuthEvent<string> | Failure)[] = []

  beforeEach(async () => {
    now = start
    events.length = 0
    called.length = 0
    liar = await startLyingProvider(() => new Date(now))
    const listed = listedNetwork(() => [liar.provider], network)
    deps = {
      now: () => new Date(now),
      log: entry => events.push(entry),
      providerNetwork: {
        postForm(url, form, headers) {
          called.push(url)
          return listed.postForm(url, form, headers)
        },
        getJson(url, headers) {
          called.push(url)
          return listed.getJson(url, headers)
        },
      },
      providerSecrets,
    }
  })
  afterEach(async () => {
    await liar[Symbol.asyncDispose]()
    expect(events.flatMap(leaksOf), 'what was logged').toEqual([])
  })

  const callback = (changes: Partial<Callback> = {}): Callback => ({
    code: liar.authorize(verifier),
    codeVerifier: verifier,
    redirectUri: redirectUriOf('https://id.example.com', liar.provider.id),
    iss: undefined,
    ...changes,
  })
  const confirm = (changes?: Partial<Callback>): Promise<Confirmed> => exchange(deps, liar.provider, callback(changes))
  return {
    get liar() {
      return liar
    },
    get deps() {
      return deps
    },
    called,
    events,
    advance(seconds: number) {
      now += seconds * 1000
    },
    confirm,
    /** Logs in a person with these claims in the id token. */
    confirmed: (claims: Record<string, unknown>) => confirm({ code: liar.authorize(verifier, claims) }),
    /** Requires that an exchange fails, with this reason in the log. */
    async expectFailed(
      event: 'provider-refused' | 'provider-unavailable' | 'provider-misconfigured',
      reason: string,
      changes?: Partial<Callback>,
    ) {
      const code = event === 'provider-refused' ? event : 'provider-unavailable'
      events.length = 0
      await expect(confirm(changes)).rejects.toMatchObject({ name: 'DomainError', code })
      expect(events).toEqual([{ event, provider: liar.provider.id, reason }])
    },
  }
}
