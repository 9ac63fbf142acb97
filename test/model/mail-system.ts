import { noPassword } from '../../accounts/account/account.ts'
import { toItem, tokenItem } from '../../accounts/account/attributes.ts'
import { openAccount } from '../../accounts/account/opening.ts'
import { removeAccount } from '../../accounts/account/writes.ts'
import { deletionMarks } from '../../accounts/address/deletion-marks.ts'
import { verifyEmail } from '../../accounts/address/verification.ts'
import { deliverMail } from '../../accounts/delivery/deliver-mail.ts'
import { type LinkMessage, type MailMessage, requestMail } from '../../accounts/mail/queue.ts'
import { acceptInvitation } from '../../accounts/password/invitation.ts'
import { toPassword } from '../../accounts/password/password.ts'
import { resetPassword } from '../../accounts/password/reset.ts'
import { hashToken, oneTimeToken } from '../../accounts/token/token.ts'
import type { Deps } from '../../api/deps.ts'
import { AccountChanges } from '../../operations/users/account-changes.ts'
import { inviteAccount } from '../../operations/users/invite-account.ts'
import { openable } from '../support/service/openable.ts'
import { changePassword, deleteAccount } from '../support/service/owner.ts'
import { ada, newClient } from '../support/service/people.ts'
import type { Step, System, Task } from './explore.ts'
import { kindOf, type Request } from './mail-history.ts'
import { email, MailWorld } from './mail-world.ts'
import { clientAddress, invitingTable, passwordHash, place, start } from './outside.ts'

export interface Scenario {
  /** Requests, at any time. */
  requests: readonly Request[]
  /** Whether the account exists at the start, its registration long mailed, and whether its address is verified. */
  isRegistered?: boolean
  isVerified?: boolean
  /** Whether an unused reset link was mailed. */
  hasReset?: boolean
  /** Whether an operator has opened it by a mailed invitation. */
  isInvited?: boolean
  /** Whether the tokens of invitations are tried as resets. */
  misuses?: boolean
  /** How many links a person follows. */
  clicks?: number
  workers?: number
  /** The request whose clock runs ahead. */
  ahead?: Request
  /** How many mails an address may get; no cap when left out. */
  cap?: number
}

/** Everybody who acts in a scenario: people, operators and workers, by the domain's own code. */
export class MailSystem implements System {
  readonly #scenario: Scenario
  readonly #world: MailWorld
  readonly #requests: Request[]
  #clicks: number

  constructor(scenario: Scenario) {
    this.#scenario = scenario
    this.#world = new MailWorld(scenario.cap)
    this.#requests = [...scenario.requests]
    this.#clicks = scenario.clicks ?? 0
    if (scenario.isInvited) this.#begin()
    if (!scenario.isRegistered) return
    const { tables, history } = this.#world
    const born = { account_id: 'id-0', token: 'first', requested_at: start }
    const { verification, createdAt, ...account } = newAccount(born)
    const known = { ...account, createdAt, isVerified: scenario.isVerified ?? false }
    const reset = scenario.hasReset && tokenItem('reset', oneTimeToken('reset', 'second', createdAt))
    place(tables, { ...toItem(known, createdAt, verification), ...reset })
    history.born.push(hashToken(born.token))
    history.mailed.push({ kind: 'registration', ...born })
    if (reset) history.mailed.push({ email, kind: 'reset', token: 'second', requested_at: start })
  }

  #begin(): void {
    const { tables, history } = this.#world
    const message = { account_id: 'id-0', token: 'first', requested_at: start }
    const token = oneTimeToken('invitation', message.token, new Date(start))
    const { verification: _, ...account } = newAccount(message)
    const invited = { ...account, passwordHash: noPassword, invitedUntil: token.expiresAt }
    place(tables, { ...toItem(invited, account.createdAt), ...tokenItem('reset', token) })
    history.mailed.push({ kind: 'invitation', ...message })
    history.invitations.push(message.token)
    history.ends.push(token.expiresAt.getTime())
    history.invited.push(message.account_id)
  }

  state(): string {
    return JSON.stringify([this.#world.state(), this.#requests, this.#clicks])
  }

  check(isOver: boolean): void {
    const { account, queue, history } = this.#world
    const queued = queue.map(({ message }) => message)
    history.check({ account, queued, workers: this.#scenario.workers ?? 1, isOver })
  }

  startable(running: readonly string[]): Task[] {
    const { account, queue, history } = this.#world
    const requests = [...new Set(this.#requests)].map(request => this.#request(request))
    const deliveries = queue.map((_, i) => this.#delivery(i)).filter(({ name }) => !running.includes(name))
    const busyWorkers = running.filter(name => name.startsWith('delivery')).length
    const isLive = (mail: LinkMessage) => kindOf(mail) === 'reset' || !account?.isVerified
    const clicks = this.#clicks > 0 ? history.mailed.filter(isLive).map(mail => this.#click(mail)) : []
    const isWriting = running.some(name => /^(?:register|change|delete|click|invite)/.test(name))
    return [
      ...requests,
      ...(busyWorkers < (this.#scenario.workers ?? 1) ? deliveries : []),
      ...clicks,
      // A request stops after 20 s: no minute passes during one.
      ...(!isWriting && queue.some(queued => !queued.isOverAMinuteOld) ? [this.#aMinutePasses()] : []),
    ]
  }

  #request(request: Request): Task {
    return {
      name: request,
      run: async step => {
        const world = this.#world
        this.#requests.splice(this.#requests.indexOf(request), 1)
        world.clock += 1
        // Less than the tolerance, and more than all other requests take.
        const at = world.clock + (this.#scenario.ahead === request ? 9000 : 0)
        const deps = world.deps(step, at)
        if (request === 'register') await openAccount(deps, clientAddress, { ...ada, name: null })
        else if (request === 'change' || request === 'delete') await this.#asOwner(request, deps)
        else if (request === 'invite') await this.#invite(deps, step)
        else if (request === 'lock' || request === 'revoke' || request === 'take back')
          return this.#asOperator(request, deps, step)
        else await requestMail(deps, newClient(), request, email)
        const { promised, mailed } = world.history
        promised.push({ request, at, hadAccount: world.account !== undefined, mailed: mailed.length })
      },
    }
  }

  async #invite(deps: Deps, step: Step): Promise<void> {
    const table = invitingTable(this.#world.store(step, 'invite', deps.now()))
    const invited = await inviteAccount({ ...deps, table }, { email, name: null, roles: null, language: null })
    if (invited.outcome !== 'invited') throw new Error('nobody was invited')
  }

  async #asOperator(act: 'lock' | 'revoke' | 'take back', deps: Deps, step: Step): Promise<void> {
    const account = await deps.accounts.findByEmail(email)
    if (account === null) return
    const now = deps.now()
    const store = this.#world.store(step, act, now)
    const marks = deletionMarks(null as never, () => 'RateLimits')
    if (act === 'take back') await removeAccount(store, marks, account, now)
    else await new AccountChanges(store)[act](account, now)
  }

  async #asOwner(request: 'change' | 'delete', deps: Deps): Promise<void> {
    const account = await deps.accounts.findByEmail(email)
    if (account === null) return
    const passwords = { current_password: ada.password, new_password: toPassword('battery staple') }
    if (request === 'change') await changePassword(deps, clientAddress, account, passwords)
    else await deleteAccount(deps, clientAddress, account, { password: ada.password })
  }

  #delivery(i: number): Task {
    const { queue } = this.#world
    const queued = queue[i]
    return {
      name: `delivery of ${queued?.message.token}`,
      run: async step => {
        if (!queued) return
        const { clock } = this.#world
        const age = queued.isOverAMinuteOld ? 60_001 : 0
        const deps = this.#world.deps(step, clock + age, queued.message)
        const outcome = await deliverMail(deps, queued.message, new Date(clock))
        if (outcome === 'early') return
        await step('DeleteMessage', () => void queue.splice(queue.indexOf(queued), 1))
      },
    }
  }

  #click(mail: LinkMessage): Task {
    return {
      name: `click on ${mail.token}`,
      run: async step => {
        this.#clicks -= 1
        const { token } = mail
        const deps = this.#world.deps(step)
        if (kindOf(mail) === 'verification') await verifyEmail(deps, clientAddress, token)
        else if (this.#world.history.invitations.includes(token) && !this.#scenario.misuses) {
          await acceptInvitation(deps, clientAddress, { token, new_password: ada.password, name: null })
        }
        // The same password again, so that a change can follow.
        else await resetPassword(deps, clientAddress, { token, new_password: ada.password })
      },
    }
  }

  #aMinutePasses(): Task {
    return {
      name: 'a minute passes',
      run: async () => {
        for (const queued of this.#world.queue) queued.isOverAMinuteOld = true
      },
    }
  }
}

const newAccount = ({ token, requested_at }: Pick<MailMessage, 'token' | 'requested_at'>) => ({
  id: 'id-0',
  email: openable(email),
  name: null,
  language: null,
  passwordHash,
  isAdmin: false,
  isVerified: false,
  tokenVersion: 0,
  createdAt: new Date(requested_at),
  verification: { hash: hashToken(token), expiresAt: new Date(start + 1e6), requestedAt: new Date(requested_at) },
})
