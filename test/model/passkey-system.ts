import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { expect } from 'vitest'
import { noPassword } from '../../accounts/account/account.ts'
import { toAccount } from '../../accounts/account/attributes.ts'
import { undoChange } from '../../accounts/address/undo.ts'
import { deliverMail } from '../../accounts/delivery/deliver-mail.ts'
import { logInByPasskey } from '../../accounts/login/by-passkey.ts'
import { logIn } from '../../accounts/login/login.ts'
import type { MailMessage, MessageOf } from '../../accounts/mail/queue.ts'
import type { ChallengePurpose } from '../../accounts/passkey/challenge.ts'
import { drawLoginOptions, drawProofOptions } from '../../accounts/passkey/options.ts'
import { confirmPasskey } from '../../accounts/passkey/set-up.ts'
import { Assertion, NewCredential } from '../../accounts/passkey/shapes.ts'
import { toPassword } from '../../accounts/password/password.ts'
import { resetPassword } from '../../accounts/password/reset.ts'
import { issueLoginTokens } from '../../accounts/session/opening.ts'
import { issueAccessToken } from '../../accounts/token/access-token.ts'
import { authenticate } from '../../accounts/token/authentication.ts'
import type { Deps } from '../../api/deps.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { type Authenticator, authenticator } from '../support/service/authenticator.ts'
import type { Harness } from '../support/service/harness.ts'
import { changePassword, confirmEmailChange, removePasskey, setUpPasskey } from '../support/service/owner.ts'
import { allowPasskeys } from '../support/service/passkeys.ts'
import {
  find,
  type HeldFactor,
  newClient,
  protect,
  register,
  requestMove,
  requestToken,
} from '../support/service/people.ts'
import {
  type AccessToken,
  type Asserted,
  answer,
  type Challenge,
  copyOf,
  type GivenProof,
  type Held,
  purposes,
  type Request,
  type State,
  type UndoLink,
} from './passkeys.ts'

/** One of all by its number; null for the working one, if there is one. */
type Which = number | null
interface TypedAct {
  isRight: boolean
  hasCode: boolean
}
interface AssertedAct {
  challenge: Which
  passkey: Which
}
type ProofAct = TypedAct | AssertedAct
type OfOne = { person: number }

/** An act, before its credentials are chosen. */
export type Act =
  | ({ do: 'log in' } & OfOne & TypedAct)
  | ({ do: 'move' } & OfOne & TypedAct)
  | ({ do: 'enter' } & OfOne & AssertedAct)
  | ({ do: 'set up'; token: Which; proof: ProofAct } & OfOne)
  | ({ do: 'change'; token: Which; proof: ProofAct } & OfOne)
  | ({ do: 'remove'; token: Which; proof: ProofAct; passkey: Which } & OfOne)
  | ({ do: 'confirm'; token: Which; challenge: Which; isSynced: boolean } & OfOne)
  | ({ do: 'reset'; keeps: boolean } & OfOne)
  | ({ do: 'revoke' | 'removePasskeys' | 'lock' | 'unlock' | 'signOut' | 'set up an app' } & OfOne)
  | { do: 'undo'; link: Which }
  | { do: 'require a second factor' }
  | { do: 'wait' }

/** The fate of a request: none, its writes are retried, it is sent again, its process dies at a call, or another one comes in between. */
export type Fate = null | 'twice' | 'again' | { diesAt: number } | { meets: Act; at: number }

type Outcome = 'done' | 'dead' | { refused: string }

const minute = 60_000

/** Everybody who acts on two accounts and their passkeys, by the domain's own code; and the expectations. */
export class PasskeySystem {
  readonly #harness: Harness
  readonly #deps: Deps
  #state: State = { people: [], isRequired: false, spent: new Set(), undone: [] }
  readonly #ids: string[] = []
  readonly #devices = new Map<Held, Authenticator>()
  readonly #challenges: Challenge[] = []
  readonly #links: UndoLink[] = []
  readonly #tokens: AccessToken[] = []
  readonly #apps: HeldFactor[] = []
  /** Possibly used: the user got no answer. */
  readonly #uncertain = new Set<string>()
  #drawn = 0
  readonly #notices: [UndoableNotice, Outcome][] = []
  /** How often each act succeeded. */
  readonly done: Record<string, number> = {}

  constructor(harness: Harness) {
    this.#harness = harness
    const { deps } = harness
    this.#deps = { ...deps }
    allowPasskeys(harness)
    harness.config.rateLimits = null
    harness.queue.length = 0
  }

  async open(): Promise<void> {
    for (const name of ['ada', 'bob']) {
      const [email, password] = [`${name}@example.com`, `correct horse of ${name}`]
      const { account } = await register(this.#harness, { email, password })
      await this.#harness.operator.verify(account, this.#deps.now())
      const person = { email, password, passkeys: [], isLocked: false, hasApp: false }
      this.#ids.push(account.id)
      this.#state.people.push({ ...person, version: (await find(this.#harness, email)).tokenVersion })
    }
  }

  async act(act: Act, fate: Fate): Promise<void> {
    const request = await this.#prepare(act)
    if (request === null) return
    // Several requests in one: it happens at once.
    if (fate === null || typeof fate === 'string' || request.do === 'set up an app') {
      this.#harness.retriesWrites = fate === 'twice'
      await this.#ends(request)
      this.#harness.retriesWrites = false
      // With another code, which works once too.
      this.#harness.advance(31_000)
      return fate === 'again' && request.do !== 'set up an app' ? this.#ends(request) : undefined
    }
    const met = 'meets' in fate ? await this.#prepare(fate.meets) : null
    const outcomes: [Request, Outcome][] = []
    let calls = 0
    let isDead = false
    this.#harness.beforeCall = async () => {
      calls += 1
      if ('diesAt' in fate) isDead ||= calls === fate.diesAt
      if (isDead) throw new Error('the process has died')
      if (met === null || !('meets' in fate) || calls !== fate.at) return
      const { beforeCall } = this.#harness
      this.#harness.beforeCall = () => {}
      this.#harness.advance(1)
      outcomes.push([met, await this.#run(met)])
      this.#harness.advance(1)
      this.#harness.beforeCall = beforeCall
    }
    const outcome = await this.#run(request)
    this.#harness.beforeCall = () => {}
    const isAlone = !isDead && met === null
    outcomes.push([request, isDead ? 'dead' : outcome])
    await this.#settle(outcomes, isAlone && this.#isCertain(request))
  }

  async #ends(request: Request): Promise<void> {
    await this.#settle([[request, await this.#run(request)]], this.#isCertain(request))
  }

  /** At the end, everybody tries everything they have. */
  async tryAll(): Promise<void> {
    for (const [passkey, { person }] of [...this.#devices.keys()].map((held, i) => [i, held] as const))
      await this.act({ do: 'enter', person, challenge: null, passkey }, null)
    for (const person of this.#ids.keys()) await this.act({ do: 'log in', person, isRight: true, hasCode: true }, null)
  }

  // Credentials of acts.

  async #prepare(act: Act): Promise<Request | null> {
    this.#harness.advance(act.do === 'wait' ? 11 * minute : 31_000)
    if (act.do === 'wait') return null
    if (act.do === 'undo') return this.#prepareUndo(act.link)
    if (act.do === 'require a second factor') return { do: act.do }
    const index = act.person
    const person = this.#person(index)
    if (act.do === 'log in') return { do: act.do, person: index, ...this.#typed(index, act) }
    if (act.do === 'enter') return this.#asserted(act, 'login', index).then(given => given && { do: act.do, ...given })
    if (act.do === 'reset' || act.do === 'move') {
      // A locked account is mailed no link.
      if (person.isLocked) return null
      const n = ++this.#drawn
      if (act.do === 'reset') {
        const link = await requestToken(this.#harness, 'reset', person.email)
        return { do: act.do, person: index, keeps: act.keeps, to: `battery staple ${n}`, link, askedAt: this.#now }
      }
      const to = `moved-${n}@example.com`
      const link = await requestMove(this.#harness, to, person.email)
      return { do: act.do, person: index, proof: this.#typed(index, act), to, link }
    }
    if (!('token' in act)) return act.do === 'set up an app' && person.hasApp ? null : { do: act.do, person: index }
    return this.#prepareBearer(act)
  }

  async #prepareUndo(which: Which): Promise<Request | null> {
    const link = this.#one(this.#links, which) ?? this.#links.at(-1)
    return link ? { do: 'undo', link } : null
  }

  async #prepareBearer(act: Extract<Act, { token: Which }>): Promise<Request | null> {
    const token = this.#one(this.#tokens, act.token) ?? (await this.#issue(act.person))
    if (act.do === 'confirm') {
      const challenge =
        this.#given(act.challenge, 'passkeys/confirm', act.person) ?? (await this.#setUpChallenge(act.person))
      if (challenge === null) return null
      const device = authenticator({ isSynced: act.isSynced })
      const { passkeyHandle } = await find(this.#harness, this.#person(act.person).email)
      const created = device.create({ challenge: challenge.text, user: { id: passkeyHandle ?? 'AAAA' } })
      const passkey = { id: created.id, person: act.person, at: this.#now }
      this.#devices.set(passkey, device)
      return { do: act.do, token, challenge, passkey, credential: v.parse(NewCredential, created) }
    }
    const proof = await this.#proof(act.person, act.proof, purposes[act.do])
    if (proof === null) return null
    if (act.do === 'change') return { do: act.do, token, proof, to: `battery staple ${++this.#drawn}` }
    if (act.do === 'set up') return { do: act.do, token, proof }
    const passkey = this.#passkey(act.person, act.passkey)
    return passkey && { do: act.do, token, proof, passkey }
  }

  async #proof(person: number, proof: ProofAct, purpose: ChallengePurpose): Promise<GivenProof | null> {
    return 'isRight' in proof ? this.#typed(person, proof) : this.#asserted(proof, purpose, person)
  }

  #typed(person: number, { isRight, hasCode }: TypedAct) {
    return { password: (isRight && this.#person(person).password) || 'another horse', hasCode }
  }

  async #asserted(
    { challenge: which, passkey: whose }: AssertedAct,
    purpose: ChallengePurpose,
    person: number,
  ): Promise<Asserted | null> {
    const passkey = this.#passkey(person, whose)
    if (passkey === null) return null
    const challenge = this.#given(which, purpose, person) ?? (await this.#draw(purpose, person))
    const answered = this.#devices.get(passkey)?.get({ challenge: challenge.text })
    return { challenge, passkey, assertion: v.parse(Assertion, answered) }
  }

  async #draw(purpose: ChallengePurpose, person: number): Promise<Challenge> {
    const account = await find(this.#harness, this.#person(person).email)
    if (purpose === 'login' || purpose === 'passkeys/confirm' || account.passkeys.length === 0)
      return this.#keep((await drawLoginOptions(this.#deps)).challenge, 'login', null)
    return this.#keep((await drawProofOptions(this.#deps, account, purpose)).challenge, purpose, person)
  }

  /** The newest one that was given out, or a new one for a password and a code. */
  async #setUpChallenge(person: number): Promise<Challenge | null> {
    const isGood = (each: Challenge) =>
      each.purpose === 'passkeys/confirm' && each.person === person && each.expiresAt > this.#now
    const given = this.#challenges.findLast(each => isGood(each) && !this.#state.spent.has(each.text))
    if (given) return given
    const token = await this.#issue(person)
    const proof = this.#typed(person, { isRight: true, hasCode: true })
    const request: Request = { do: 'set up', token, proof }
    await this.#settle([[request, await this.#run(request)]], true)
    return this.#challenges.findLast(isGood) ?? null
  }

  #keep(text: string, purpose: ChallengePurpose, person: number | null): Challenge {
    const challenge = { text, purpose, person, expiresAt: this.#now + 10 * minute }
    this.#challenges.push(challenge)
    return challenge
  }

  /** A challenge that was given out, used or not: for every second number one of this purpose. */
  #given(which: Which, purpose: ChallengePurpose, person: number): Challenge | undefined {
    const isFor = (each: Challenge) => each.purpose === purpose && (each.person ?? person) === person
    const fitting = this.#challenges.filter(isFor)
    return this.#one(Number(which) % 2 === 0 && fitting.length > 0 ? fitting : this.#challenges, which)
  }

  /** The one of a number, if the number is given. */
  #one<T>(all: readonly T[], which: Which): T | undefined {
    return which === null ? undefined : all[which % all.length]
  }

  /** A passkey of somebody, if possible an existing one. */
  #passkey(person: number, which: Which): Held | null {
    const all = [...this.#devices.keys()]
    const own = this.#person(person).passkeys.at(-1) ?? all.findLast(held => held.person === person)
    return this.#one(all, which) ?? own ?? null
  }

  /** An access token that somebody got earlier. */
  async #issue(person: number): Promise<AccessToken> {
    const login = { authTime: this.#deps.now(), amr: ['pwd', 'otp', 'mfa'] }
    const account = await find(this.#harness, this.#person(person).email)
    return this.#hold((await issueAccessToken(this.#deps, account, login)).token)
  }

  #hold(text: string): AccessToken {
    const { sub, ver, exp, amr } = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString())
    const isTwoFactor = amr.includes('mfa')
    const token = { text, person: this.#ids.indexOf(sub), version: ver, expiresAt: exp * 1000, isTwoFactor }
    this.#tokens.push(token)
    return token
  }

  get #now(): number {
    return this.#deps.now().getTime()
  }

  #person(index: number): State['people'][number] {
    const person = this.#state.people[index]
    if (!person) throw new Error('nobody has this number')
    return person
  }

  // The acts.

  async #run(request: Request): Promise<Outcome> {
    const queued: MailMessage[] = []
    const queueMail: Deps['queueMail'] = async (message, delay) => {
      await this.#deps.queueMail(message, delay)
      queued.push(message)
    }
    const outcome = await this.#ask({ ...this.#deps, queueMail }, request).then(
      (): Outcome => 'done',
      (error: unknown): Outcome => {
        if (!(error instanceof DomainError)) throw error
        return { refused: error.code }
      },
    )
    if (isRefused(outcome, 'passkey-required') && queued.length > 0)
      throw new Error('broken: nobody who has passkeys is mailed another way in')
    for (const message of queued) if (isUndoable(message)) this.#notices.push([message, outcome])
    return outcome
  }

  async #ask(deps: Deps, request: Request): Promise<unknown> {
    if (request.do === 'require a second factor') {
      this.#harness.config.secondFactor = 'required'
      return
    }
    if (request.do === 'log in') {
      const { email } = this.#person(request.person)
      const { password } = request
      const code = this.#code(request.person, request.hasCode)
      const proven = await logIn(deps, newClient(), { email, password: toPassword(password), code })
      return this.#hold((await issueLoginTokens(deps, proven, undefined)).token)
    }
    if (request.do === 'enter') {
      const proven = await logInByPasskey(deps, { assertion: request.assertion })
      return this.#hold((await issueLoginTokens(deps, proven, undefined)).token)
    }
    if (request.do === 'reset') {
      const body = {
        token: request.link,
        new_password: toPassword(request.to),
        keep_other_logins: request.keeps || undefined,
      }
      return resetPassword(deps, newClient(), body)
    }
    if (request.do === 'undo') return undoChange(deps, request.link.token)
    if (request.do === 'move') {
      const { password } = request.proof
      const code = this.#code(request.person, request.proof.hasCode)
      return confirmEmailChange(deps, newClient(), { token: request.link, password: toPassword(password), code })
    }
    if ('token' in request) return this.#askAsBearer(deps, request)
    const account = await deps.accounts.findByEmail(this.#person(request.person).email)
    // It has just moved.
    if (account === null) throw new DomainError('unavailable')
    if (request.do !== 'set up an app') return this.#harness.operator[request.do](account, deps.now())
    this.#apps[request.person] = await protect(this.#harness, account.email)
  }

  async #askAsBearer(deps: Deps, request: Extract<Request, { token: AccessToken }>): Promise<unknown> {
    const { account } = await authenticate(deps, request.token.text)
    if (request.do === 'confirm') {
      const { createdAt } = await confirmPasskey(deps, account, { credential: request.credential, label: 'Phone' })
      request.passkey.at = createdAt.getTime()
      return
    }
    const { person } = request.token
    const { proof } = request
    const code = 'password' in proof ? this.#code(person, proof.hasCode) : undefined
    const given = 'password' in proof ? { password: toPassword(proof.password), code } : { assertion: proof.assertion }
    if (request.do === 'set up') {
      const { challenge } = await setUpPasskey(deps, newClient(), account, given)
      return this.#keep(challenge, 'passkeys/confirm', person)
    }
    if (request.do === 'remove')
      return this.#hold((await removePasskey(deps, newClient(), account, { id: request.passkey.id, ...given })).token)
    const current =
      'password' in proof ? { current_password: toPassword(proof.password), code } : { assertion: proof.assertion }
    const body = { ...current, new_password: toPassword(request.to) }
    return this.#hold((await changePassword(deps, newClient(), account, body)).token)
  }

  #code(person: number, hasCode: boolean): string | undefined {
    return hasCode ? this.#apps[person]?.code() : undefined
  }

  /** The worker mails past events, with their undo links. */
  async #deliver(isExact: boolean): Promise<void> {
    for (const [message, outcome] of this.#notices.splice(0)) {
      const { kind, email, account_id, requested_at: at } = message
      const isPasskey = kind === 'passkey-added'
      const { mails } = this.#harness
      mails.length = 0
      await deliverMail(this.#deps, message, this.#deps.now())
      const [, token] = /undo\?token=([\w-]+)/.exec(mails[0]?.text ?? '') ?? []
      if (token === undefined) continue
      this.#links.push({ token, person: this.#ids.indexOf(account_id), email, at, isPasskey })
      if (!isExact || outcome !== 'done') this.#uncertain.add(token)
    }
  }

  // The expectations.

  #isCertain(request: Request): boolean {
    return usedBy(request).every(used => !this.#uncertain.has(used))
  }

  /** @param isExact whether the result is determined; otherwise some order of the acts must explain it */
  async #settle(outcomes: readonly [Request, Outcome][], isExact: boolean): Promise<void> {
    const found = await this.#found()
    const [[request, outcome] = []] = outcomes
    if (isExact && request) {
      const next = copyOf(this.#state)
      const refusal = answer(next, request, this.#now)
      // An operator's retry revokes access tokens twice: none was issued in between.
      if (this.#harness.retriesWrites && isOperators(request)) {
        const [person, { version = 0 } = {}] = [next.people[request.person], found[request.person]]
        if (person) person.version = Math.max(person.version, version)
      }
      expect([request.do, outcome]).toEqual([request.do, refusal === null ? 'done' : { refused: refusal }])
      expect([request.do, found]).toEqual([request.do, visible(next)])
      this.#state = next
    } else this.#state = this.#explained(outcomes, found)
    await this.#deliver(isExact)
    for (const [{ do: name }, outcome] of outcomes) if (outcome === 'done') this.done[name] = (this.done[name] ?? 0) + 1
  }

  #explained(outcomes: readonly [Request, Outcome][], found: Visible): State {
    for (const [request, outcome] of outcomes)
      if (outcome !== 'done') for (const used of usedBy(request)) this.#uncertain.add(used)
    const orders = ordersOf(outcomes)
    const explained = orders.flatMap(order => {
      const next = copyOf(this.#state)
      const isPossible = order.every(request => answer(next, request, this.#now) === null)
      return isPossible && isDeepStrictEqual(visible(next), found) ? [next] : []
    })
    const [first] = explained
    if (!first) {
      const told = outcomes.map(([{ do: name }, outcome]) => `${name}: ${JSON.stringify(outcome)}`)
      throw new Error(
        `broken: nothing explains ${JSON.stringify(found)} after ${told}, which was ${JSON.stringify(visible(this.#state))}`,
      )
    }
    return first
  }

  async #found(): Promise<Visible> {
    const items = await this.#harness.accountItems()
    return this.#ids.map(id => {
      const item = items.find(each => each.id === id)
      if (!item) throw new Error('broken: no account is lost')
      const { email, passwordHash, tokenVersion, passkeys, lockedAt, factor } = toAccount(item)
      for (const { id, createdAt } of passkeys)
        for (const held of this.#devices.keys()) if (held.id === id) held.at = createdAt.getTime()
      const hasPassword = passwordHash !== noPassword
      const ids = passkeys.map(({ id }) => id)
      return {
        email,
        hasPassword,
        version: tokenVersion,
        passkeys: ids,
        isLocked: lockedAt !== null,
        hasApp: factor !== null,
      }
    })
  }
}

type UndoableNotice = MessageOf<'passkey-added' | 'email-changed'>

const isUndoable = (message: MailMessage): message is UndoableNotice =>
  message.kind === 'passkey-added' || message.kind === 'email-changed'

const isRefused = (outcome: Outcome, code: string): boolean => typeof outcome === 'object' && outcome.refused === code

/** The table's data about everybody. */
type Visible = readonly {
  email: string
  hasPassword: boolean
  version: number
  passkeys: readonly string[]
  isLocked: boolean
  hasApp: boolean
}[]

const visible = ({ people }: State): Visible =>
  people.map(({ password, passkeys, ...person }) => ({
    ...person,
    hasPassword: password !== null,
    passkeys: passkeys.map(({ id }) => id),
  }))

const voiding = ['revoke', 'removePasskeys', 'lock', 'signOut']
const isOperators = (request: Request): request is Request & OfOne => voiding.includes(request.do)

/** Credentials that a request spends. */
function usedBy(request: Request): string[] {
  const proof = 'proof' in request && 'challenge' in request.proof ? [request.proof.challenge.text] : []
  const challenge = 'challenge' in request ? [request.challenge.text] : []
  return [...proof, ...challenge, ...(request.do === 'undo' ? [request.link.token] : [])]
}

/** Every order of the acts. Those that died may have happened, refused ones did not. */
function ordersOf(outcomes: readonly [Request, Outcome][]): Request[][] {
  const done = outcomes.flatMap(([request, outcome]) => (outcome === 'done' ? [request] : []))
  const dead = outcomes.flatMap(([request, outcome]) => (outcome === 'dead' ? [request] : []))
  const orders = (requests: Request[]) => (requests.length > 1 ? [requests, requests.toReversed()] : [requests])
  return [...orders(done), ...(dead.length > 0 ? orders([...done, ...dead]) : [])]
}
