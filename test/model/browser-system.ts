import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import type { Client } from '../../accounts/application/client.ts'
import { grace } from '../../accounts/session/rotation.ts'
import type { Deps } from '../../api/deps.ts'
import authorizeSession from '../../functions/authorize-session.ts'
import logoutBrowser from '../../functions/logout-browser.ts'
import { publishedKey } from '../../shared/aws/keys.ts'
import { clients, shopRequest } from '../support/clients.ts'
import { httpEvent } from '../support/service/http.ts'
import type { Step, System, Task } from './explore.ts'
import { GrantWorld } from './grant-world.ts'
import { usual } from './outside.ts'
import { invariant } from './session-history.ts'

/** Why a browser with the cookie sends a request. */
export type Cause =
  | 'its own page'
  | 'its own logout'
  | 'a page of a sibling subdomain'
  | 'an application at an address that begins alike'
  | 'an application at another port'
  | 'a program of the machine'
  | 'an application that forges a hint'

/** Wrong beliefs of the explored code, which the invariants must detect. */
export interface Credulity {
  believes?: 'any origin' | 'any address that begins alike' | 'any port' | 'any confirmation' | 'any hint'
}

const context = { getRemainingTimeInMillis: () => 10_000 } as Context
const callback = shopRequest.redirect_uri
const ownPage = { 'sec-fetch-site': 'same-origin' }

const redirects: Partial<Record<Cause, string>> = {
  'an application at an address that begins alike': `${callback}.attacker.example`,
  'an application at another port': callback.replace('example.com', 'example.com:8443'),
  'a program of the machine': 'http://127.0.0.1:8123/callback',
}

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const [own, forged] = [keyPair(), keyPair()]
const published = (kid: string, key: KeyObject) => publishedKey(kid, key.export({ format: 'der', type: 'spki' }))

/** An id token of the shop's. */
function hintBy(kid: string, key: KeyObject): string {
  const claims = { iss: usual.issuer, aud: 'shop', sub: 'id-0' }
  const parts = [{ alg: 'RS256', typ: 'JWT', kid }, claims]
  const signed = parts.map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

// Signed and imported once: there are thousands of runs.
const ownHint = hintBy('own', own.privateKey)
const forgedHint = hintBy('forged', forged.privateKey)
const ownKeys = { keys: [published('own', own.publicKey)] }
const allKeys = { keys: [...ownKeys.keys, published('forged', forged.publicKey)] }

interface Request {
  cause: Cause
  /** Whether the person had logged the browser out before it was sent. */
  isLate: boolean
  /** The address that it was redirected to. */
  location: string | null
}

/** A browser session, and everybody who makes the browser send requests: the endpoints themselves answer. */
export class BrowserSystem implements System {
  readonly #world = new GrantWorld({ senders: [] }, {})
  readonly #credulity: Credulity
  readonly #causes: Cause[]
  readonly #requests: Request[] = []
  /** Whether the person has asked for a logout, and whether it is done. */
  #logout: 'none' | 'asked' | 'done' = 'none'
  #broken: unknown = null

  constructor(causes: readonly Cause[], credulity: Credulity = {}) {
    this.#causes = [...causes]
    this.#credulity = credulity
    // The cookie's token is past its grace period, and so rotated.
    this.#world.clock += grace
  }

  state(): string {
    const requests = this.#requests.map(request => JSON.stringify(request)).sort()
    return JSON.stringify([this.#world.state(), requests, this.#causes, this.#logout])
  }

  check(): void {
    if (this.#broken) throw this.#broken
    const led = this.#requests.filter(({ location }) => /[?&]code=/.test(location ?? ''))
    for (const { cause, isLate, location } of led) {
      invariant('a page of another host gets no code', cause !== 'a page of a sibling subdomain')
      invariant('no program gets a code unless its owner says so', cause !== 'a program of the machine')
      invariant('no code leads where the list does not', location?.startsWith(`${callback}?`) ?? false)
      invariant('a browser that is logged out makes no code', !isLate)
    }
    const { account, browser } = this.#world
    const isLoggedIn = account.sessions.some(({ id }) => id === browser.id)
    invariant('nobody else logs a person out', this.#logout !== 'none' || isLoggedIn)
    invariant('a logout ends the session', this.#logout !== 'done' || !isLoggedIn)
  }

  startable(): Task[] {
    return [...new Set(this.#causes)].map(cause => {
      const name = `${cause} ${this.#requests.filter(request => request.cause === cause).length}`
      return {
        name,
        run: step =>
          this.#send(name, cause, step).catch((error: unknown) => {
            this.#broken ??= error
          }),
      }
    })
  }

  async #send(name: string, cause: Cause, step: Step): Promise<void> {
    this.#causes.splice(this.#causes.indexOf(cause), 1)
    const request: Request = { cause, isLate: this.#logout === 'done', location: null }
    this.#requests.push(request)
    const isLogout = cause === 'its own logout' || cause === 'an application that forges a hint'
    if (cause === 'its own logout') this.#logout = 'asked'
    const deps = this.#deps(name, cause, step)
    const handler = isLogout ? logoutBrowser(deps) : authorizeSession(deps)
    const { statusCode, body = '' } = await handler(this.#event(cause), context)
    invariant('no request is a bug', statusCode !== 500)
    request.location = (JSON.parse(body) as { location?: string | null }).location ?? null
    if (cause === 'its own logout' && statusCode === 200) this.#logout = 'done'
  }

  #event(cause: Cause): APIGatewayProxyEventV2 {
    const hint = cause === 'its own logout' ? ownHint : forgedHint
    const query = /hint|logout/.test(cause)
      ? { client_id: 'shop', id_token_hint: hint }
      : { ...shopRequest, redirect_uri: redirects[cause] ?? callback }
    const isSibling = cause === 'a page of a sibling subdomain' && this.#credulity.believes !== 'any origin'
    const headers = isSibling ? { origin: 'https://blog.example.com', 'sec-fetch-site': 'same-site' } : ownPage
    const confirmed = this.#credulity.believes === 'any confirmation'
    const body = { request: String(new URLSearchParams(query)), confirmed }
    return { ...httpEvent({ headers, body }), cookies: [`__Host-gatehouse=${this.#world.cookie}`] }
  }

  #deps(name: string, cause: Cause, step: Step): Deps {
    const { believes } = this.#credulity
    const deps = this.#world.deps(step, { name, isRight: true, form: {} })
    const sent = redirects[cause] ?? callback
    const isTaken =
      (believes === 'any address that begins alike' && sent.startsWith(callback)) ||
      (believes === 'any port' && sent.replace(/:\d+/, '') === callback)
    const credulous = (client: Client) => (isTaken ? { ...client, redirects: [...client.redirects, sent] } : client)
    const keys = believes === 'any hint' ? allKeys : ownKeys
    return {
      ...deps,
      clients: clients.map(credulous),
      publicKeys: { findById: async () => keys, listUsable: async () => keys },
    }
  }
}
