import { decodeJwt } from 'jose'
import { useBrowserSession } from '../../accounts/application/browser-session.ts'
import { exchangeGrant } from '../../accounts/application/exchange.ts'
import type { ApplicationTokens } from '../../accounts/application/tokens.ts'
import { endSession, logOut, logOutEverywhere } from '../../accounts/session/ending.ts'
import { addSession } from '../../accounts/session/opening.ts'
import { parseRefreshToken } from '../../accounts/session/refresh-token.ts'
import { grace } from '../../accounts/session/rotation.ts'
import { newSession } from '../../accounts/session/session.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { OAuthError } from '../../shared/base/oauth-error.ts'
import type { Step, System, Task } from './explore.ts'
import { type Act, type Mutation, proofs, type Scenario, type Sender } from './grant-scenario.ts'
import { code, GrantWorld, type Served, verifier } from './grant-world.ts'
import { clientAddress, invariant } from './outside.ts'

/** A request with the code or the cookie. */
interface Request extends Served {
  sender: Sender
  /** Whether an act had ended all grants before it was sent. */
  isLate: boolean
  answer: { tokens: ApplicationTokens } | { error: string; description: string } | null
}

/** The acts that end everything before them. */
const ends: readonly Act[] = [
  'log out everywhere',
  'lock',
  'move',
  'delete',
  'log out browser',
  'end browser',
  'find a copied cookie',
]

/** Everybody who acts in a scenario, by the domain's own code. */
export class GrantSystem implements System {
  readonly #scenario: Scenario
  readonly #world: GrantWorld
  readonly #senders: Sender[]
  readonly #acts: Act[]
  readonly #requests: Request[] = []
  /** Whether an act of `ends` is over. */
  #hasEnded = false
  /** Whether the browser session has ended because its cookie may be a thief's. */
  #isStolen = false
  #refreshes: number
  /** An invariant that a task has broken, or a bug. */
  #broken: unknown = null

  constructor(scenario: Scenario, mutation: Mutation = {}) {
    this.#scenario = scenario
    this.#world = new GrantWorld(scenario, mutation)
    this.#senders = [...scenario.senders]
    this.#acts = [...(scenario.acts ?? [])]
    this.#refreshes = scenario.refreshes ? 2 : 0
  }

  state(): string {
    const requests = this.#requests.map(({ name, isLate, answer }) => [name, isLate, answer])
    return JSON.stringify([
      this.#world.state(),
      requests.map(request => JSON.stringify(request)).sort(),
      [this.#senders, this.#acts, this.#hasEnded, this.#isStolen, this.#refreshes],
    ])
  }

  now(): number {
    return this.#world.clock
  }

  check(): void {
    if (this.#broken) throw this.#broken
    const { live, ended, client, scope, browser } = this.#world
    const granted = this.#requests.flatMap(({ answer }) => (answer && 'tokens' in answer ? [answer.tokens] : []))
    invariant('of two presentations one at most gets tokens', granted.length <= 1)
    const sids = granted.map(({ accessToken }) => decodeJwt(accessToken).sid)
    const isReused = this.#requests.some(
      ({ sender, answer }) => sender === 'right' && answer && 'error' in answer && /^Unknown/.test(answer.description),
    )
    invariant(
      'after the second presentation no session of the code lives',
      !isReused || !live.some(({ id }) => sids.includes(id)),
    )
    const { byBrowser } = this.#scenario
    invariant(
      'every session of a browser’s code says so',
      !byBrowser || live.every(({ through }) => through === browser.id),
    )
    invariant(
      'no session outlives that of a stolen cookie by which it was opened',
      !this.#isStolen || live.length === 0,
    )
    invariant('no session that has ended lives again', !live.some(({ id }) => sids.includes(id) && ended.has(id)))
    for (const { accessToken, idToken = '', scope: given } of granted) {
      const claims = decodeJwt(accessToken)
      invariant('nothing from before a raise works after it', claims.ver === 0)
      const audience = client.api ? 'gatehouse' : 'gatehouse:userinfo'
      invariant('a token is for whom the list says', claims.aud === audience && decodeJwt(idToken).aud === client.id)
      invariant(
        'nobody gets more than was granted',
        given.every(name => scope.includes(name)),
      )
    }
    invariant('nobody enters whose address a client does not take', granted.length === 0 || this.#mayEnter())
    for (const { sender, isLate, answer } of this.#requests) {
      const hasTokens = answer !== null && 'tokens' in answer
      invariant('nothing is given without all that belongs to the code', sender === 'right' || !hasTokens)
      invariant('nothing from before a raise works after it', !isLate || !hasTokens)
    }
    invariant('the session of a cookie is left alone', this.#scenario.acts !== undefined || this.#hasBrowser())
  }

  #mayEnter(): boolean {
    const { isVerified = true } = this.#scenario
    return isVerified || this.#world.client.unverified
  }

  #hasBrowser(): boolean {
    const { account, browser } = this.#world
    return account.sessions.some(({ id }) => id === browser.id)
  }

  startable(running: readonly string[]): Task[] {
    return this.#tasks(running).map(({ name, run }) => ({
      name,
      run: step =>
        run(step).catch((error: unknown) => {
          this.#broken ??= error
        }),
    }))
  }

  #tasks(running: readonly string[]): Task[] {
    const tokens = this.#requests.flatMap(({ answer }) => (answer && 'tokens' in answer ? [answer.tokens] : []))
    const refreshToken = tokens[0]?.refreshToken
    const isRefreshing = running.some(name => name.startsWith('a refresh'))
    return [
      ...[...new Set(this.#senders)].map(sender => this.#send(sender)),
      ...[...new Set(this.#acts)].map(act => this.#act(act)),
      ...(refreshToken && this.#refreshes > 0 && !isRefreshing ? [this.#refresh(refreshToken)] : []),
    ]
  }

  #formOf(sender: Sender): Record<string, string> {
    const { client, cookie } = this.#world
    if (sender === 'a cookie') return { grant_type: 'refresh_token', refresh_token: cookie, ...proofs[client.id] }
    const other = client.id === 'shop' ? 'dashboard' : 'shop'
    return {
      grant_type: 'authorization_code',
      code,
      redirect_uri: sender === 'another address' ? 'https://attacker.example/' : (client.redirects[0] ?? ''),
      code_verifier: sender === 'without the verifier' ? 'x'.repeat(43) : verifier,
      ...proofs[sender === 'another client' ? other : client.id],
    }
  }

  #send(sender: Sender): Task {
    const nth = this.#requests.filter(request => request.sender === sender).length
    const name = `${sender} ${nth}`
    return {
      name,
      run: async step => {
        this.#senders.splice(this.#senders.indexOf(sender), 1)
        const isRight = sender === 'right'
        const request: Request = {
          name,
          sender,
          isRight,
          form: this.#formOf(sender),
          isLate: this.#hasEnded,
          answer: null,
        }
        this.#requests.push(request)
        request.answer = await this.#exchange(request, step)
      },
    }
  }

  async #exchange(request: Served, step: Step): Promise<Request['answer']> {
    const form = new Map(Object.entries(request.form))
    const deps = this.#world.deps(step, request)
    return exchangeGrant(deps, { form, authorization: undefined, isFromUnlistedPage: false }).then(
      tokens => ({ tokens }),
      (error: unknown) => {
        if (error instanceof OAuthError) return { error: error.error, description: error.message }
        // A bug must not pass for a refusal.
        if (!(error instanceof DomainError)) throw error
        return { error: error.code, description: '' }
      },
    )
  }

  /** Past the grace period, so that each rotates; the second asks for more than was granted. */
  #refresh(refresh_token: string): Task {
    const isFirst = this.#refreshes === 2
    const name = `a refresh ${this.#refreshes}`
    return {
      name,
      run: async step => {
        this.#refreshes -= 1
        if (isFirst) this.#world.clock += grace
        const more = isFirst ? {} : { scope: 'openid groups' }
        const form = { grant_type: 'refresh_token', refresh_token, ...more, ...proofs[this.#world.client.id] }
        const answer = await this.#exchange({ name, isRight: true, form }, step)
        if (!answer || !('tokens' in answer)) return
        invariant(
          'nobody gets more than was granted',
          answer.tokens.scope.every(one => this.#world.scope.includes(one)),
        )
        const { sessionId = '' } = parseRefreshToken(answer.tokens.refreshToken ?? '') ?? {}
        invariant(
          'no session that has ended lives again',
          !this.#world.live.some(({ id }) => id === sessionId && this.#world.ended.has(id)),
        )
      },
    }
  }

  #act(act: Act): Task {
    return {
      name: act,
      knows: this.#world.present,
      run: async step => {
        this.#acts.splice(this.#acts.indexOf(act), 1)
        await this.#do(act, step).catch((error: unknown) => {
          if (!(error instanceof DomainError)) throw error
        })
      },
    }
  }

  async #do(act: Act, step: Step): Promise<void> {
    const world = this.#world
    const deps = world.deps(step, { name: act, isRight: true, form: {} })
    const { account } = world
    if (act === 'end session') {
      await endSession(deps, async () => {
        const present = await deps.accounts.find(account.id)
        const session = present?.sessions.find(({ application }) => application !== null)
        return present && session ? { account: present, session } : null
      })
    }
    if (act === 'log out browser') await logOut(deps, world.cookie)
    if (act === 'end browser') {
      const find = async () => {
        const present = await deps.accounts.find(account.id)
        const session = present?.sessions.find(({ isBrowser }) => isBrowser)
        return present && session ? { account: present, session } : null
      }
      await endSession(deps, find, 'end')
      this.#isStolen = true
    }
    if (act === 'find a copied cookie') {
      const browser = { token: world.copy, keep() {}, clear: () => {} }
      const refusal = await useBrowserSession(deps, browser, async () => {}).catch((error: unknown) => error)
      if (!(refusal instanceof DomainError) || refusal.code !== 'login-required') throw refusal
      this.#isStolen = true
    }
    if (act === 'log in elsewhere') {
      const { session } = newSession(deps, account, null, { authTime: deps.now(), amr: ['pwd'] })
      await addSession(deps, account, session)
    }
    if (act === 'log out everywhere') await logOutEverywhere(deps, clientAddress, account)
    if (act === 'lock') await step('UpdateItem (lock)', () => world.raise({ locked_at: deps.now().toISOString() }))
    if (act === 'delete') await deps.accounts.delete(account, deps.now())
    if (act === 'move')
      await step('TransactWriteItems (move)', () => world.raise({ email: 'ada@example.org', sessions: {} }))
    if (ends.includes(act)) this.#hasEnded = true
  }
}
