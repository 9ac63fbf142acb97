import { logOut } from '../../accounts/session/ending.ts'
import { issueLoginTokens } from '../../accounts/session/opening.ts'
import { refresh } from '../../accounts/session/refresh.ts'
import { parseRefreshToken } from '../../accounts/session/refresh-token.ts'
import type { judge } from '../../accounts/session/rotation.ts'
import { hashSecret } from '../../accounts/session/session.ts'
import type { IssuedToken } from '../../accounts/token/access-token.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { changePassword, endOwnSession } from '../support/service/owner.ts'
import { ada } from '../support/service/people.ts'
import { proven } from '../support/service/proven.ts'
import type { Step } from './explore.ts'
import { clientAddress } from './outside.ts'
import type { Exchange } from './session-history.ts'
import type { SessionWorld } from './session-world.ts'

/** An owner's acts, each once at any time. */
export type Act = 'change' | 'log out' | 'end' | 'log in'

/** A change of the explored code, which the invariants must detect. */
export interface Mutation {
  judgement?: typeof judge
  isUnconditional?: boolean
}

/** The servers of requests: each runs the domain's own code, step by step. */
export class SessionServers {
  readonly #world: SessionWorld

  constructor(world: SessionWorld) {
    this.#world = world
  }

  /** A request with a token, as it is sent now. */
  send(by: string, token: string): Exchange {
    const secretHash = hashSecret(parseRefreshToken(token)?.secret ?? '')
    const isLate = !this.#world.account.sessions.some(session => session.secretHash === secretHash)
    return { by, token, startedAt: this.#world.clock, isLate, answer: null }
  }

  async refresh(exchange: Exchange, step: Step, name: string): Promise<void> {
    const { token } = exchange
    this.#world.unread.add(name)
    const answer = await answerOf(refresh(this.#world.deps(step, token, name), token))
    exchange.answer = answer
    if ('token' in answer) this.#world.history.answered(exchange, answer.token, this.#world.clock)
  }

  async changePassword(exchange: Exchange, step: Step, name: string): Promise<void> {
    const { account, sid, history } = this.#world
    const passwords = { current_password: ada.password, new_password: ada.password }
    const deps = this.#world.deps(step, exchange.token, name)
    const answer = await answerOf(changePassword(deps, clientAddress, account, passwords, sid))
    exchange.answer = answer
    if (!('token' in answer)) return
    history.made.set(answer.token, this.#world.clock)
    history.holds(exchange.by, answer.token, true)
  }

  async act(act: Exclude<Act, 'change'>, token: string, step: Step, name: string): Promise<void> {
    const { account, sid } = this.#world
    const deps = this.#world.deps(step, token, name)
    if (act === 'log out') await outcomeOf(logOut(deps, token))
    else if (act === 'log in') await outcomeOf(issueLoginTokens(deps, await proven(deps, account), { label: null }))
    else await outcomeOf(endOwnSession(deps, clientAddress, account, { id: sid, password: ada.password }))
  }
}

async function answerOf(issued: Promise<IssuedToken>): Promise<NonNullable<Exchange['answer']>> {
  const tokens = await outcomeOf(issued)
  return tokens instanceof DomainError ? { code: tokens.code } : { token: tokens.refresh?.token ?? '' }
}

/** The outcome of a request: a bug must not pass for a refusal. */
const outcomeOf = <T>(work: Promise<T>): Promise<T | DomainError> =>
  work.catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
    return error
  })
