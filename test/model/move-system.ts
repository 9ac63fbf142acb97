import type { Account } from '../../accounts/account/account.ts'
import { openAccount } from '../../accounts/account/opening.ts'
import { changeProfile } from '../../accounts/account/profile.ts'
import { requestEmailChange } from '../../accounts/address/request.ts'
import { undoChange } from '../../accounts/address/undo.ts'
import { verifyEmail } from '../../accounts/address/verification.ts'
import { deliverMail } from '../../accounts/delivery/deliver-mail.ts'
import { type MailMessage, requestMail } from '../../accounts/mail/queue.ts'
import { toPassword } from '../../accounts/password/password.ts'
import { resetPassword } from '../../accounts/password/reset.ts'
import { hashToken, oneTimeToken } from '../../accounts/token/token.ts'
import type { Deps } from '../../api/deps.ts'
import { CommandError } from '../../operations/command-line/failures.ts'
import { moveAccount } from '../../operations/users/move-account.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { openable } from '../support/service/openable.ts'
import { changePassword, confirmEmailChange, deleteAccount } from '../support/service/owner.ts'
import { ada, newClient } from '../support/service/people.ts'
import { cloned } from './accounts.ts'
import type { Step, System, Task } from './explore.ts'
import { invariant, MoveWorld, type Mutation } from './move-world.ts'
import { clientAddress, passwordHash, refuse, start } from './outside.ts'

/** Mailboxes: the owner's, her new one, and a thief's. */
export const addresses = {
  old: 'ada@example.com',
  new: 'ada@example.org',
  other: 'thief@example.com',
  third: 'thief@example.org',
} as const
type Place = keyof typeof addresses

/** Acts, each once at any time. */
export type Act =
  | 'confirm'
  | 'ask again'
  | 'delete'
  | 'change'
  | 'reset'
  | 'rename'
  | 'register old'
  | 'register new'
  | 'ask to verify'
  | 'verify'
  | 'lock'
  | 'revoke'
  | 'remove'
  | 'move'
  | 'ask to reset'
  | 'use the link'
  | 'undo'
  | 'undo the later'

export interface Scenario {
  acts: readonly Act[]
  /** The account's mailboxes, the present one last; one move by default. */
  path?: readonly Place[]
  /** The target of a pending change; by default the new mailbox. */
  to?: Place | null
  isUnverified?: boolean
  /** Notices of an undo are left to other scenarios. */
  isUntold?: boolean
}

/** Acts of somebody with an access token. */
const ownersActs = ['ask again', 'delete', 'change', 'rename'] as const
type OwnersAct = (typeof ownersActs)[number]
const isOwners = (act: Act): act is OwnersAct => (ownersActs as readonly Act[]).includes(act)

/** Everybody who acts in a scenario: owner, thief, strangers, operators and the worker, by the domain's own code. */
export class MoveSystem implements System {
  readonly #world: MoveWorld
  readonly #acts: Act[]
  /** Whether only new names can conflict with an undo. */
  readonly #isRenamedAlone: boolean
  /** An invariant that a task has broken, or a bug. */
  #broken: unknown = null

  constructor(
    { acts, path = ['old'], to = 'new', isUnverified = false, isUntold = false }: Scenario,
    mutation: Mutation = {},
  ) {
    this.#world = new MoveWorld(mutation, isUntold)
    this.#acts = [...acts]
    this.#isRenamedAlone = acts.filter(act => act === 'rename').length > 2
    const { table, moves } = this.#world
    const [first = 'old', ...rest] = path.map(place => addresses[place])
    table.insert({
      ...{
        id: 'id 0',
        email: openable(first),
        name: null,
        language: null,
        passwordHash,
        isAdmin: false,
        isVerified: !isUnverified,
      },
      ...{ tokenVersion: 0, createdAt: new Date(start) },
      verification: { hash: '', expiresAt: new Date(start), requestedAt: new Date(start - 9) },
    })
    rest.forEach((place, i) => {
      this.#pend(place, `past ${i}`)
      const account = this.#world.account as Account
      const move = {
        to: openable(place),
        hash: hashToken(`past ${i}`),
        clients: [],
        mark: hashToken(`undo ${i}`),
        isUndoable: true,
      }
      moves.move(account, { ...move, at: new Date(start) })
    })
    if (to) this.#pend(addresses[to], 'pending')
    const token = oneTimeToken('reset', 'reset', new Date(start - 8))
    if (acts.includes('reset')) table.storeToken('reset', this.#world.account as Account, token)
  }

  #pend(to: string, token: string): void {
    const { table, account } = this.#world
    const at = new Date(Number(account?.tokens.verification.requestedAt) + 1)
    table.storeToken('verification', account as Account, oneTimeToken('verification', token, at), at, to)
  }

  state(): string {
    return JSON.stringify([this.#world.state(), [...this.#acts].sort()])
  }

  observe(): void {
    this.#world.observe()
  }

  check(isOver: boolean): void {
    if (this.#broken) throw this.#broken
    this.#world.check(isOver)
    const { undone, account, movedTo } = this.#world
    const isBack = account?.email === (movedTo ?? addresses.old)
    // The first link was the owner's, and a thief has all later ones.
    invariant('a thief does not undo an undoing', !undone.includes(hashToken('undo 0')) || !account || isBack)
  }

  startable(running: readonly string[]): Task[] {
    const { queue } = this.#world
    const isDelivering = running.some(name => name.startsWith('delivery'))
    const isAsking = running.some(name => !name.startsWith('delivery'))
    const tasks = [
      ...[...new Set(this.#acts)].flatMap(act => (this.#isPossible(act) ? [this.#act(act)] : [])),
      ...(isDelivering ? [] : queue.map((_, i) => this.#delivery(i))),
      ...(!isAsking && queue.some(({ isOverAMinuteOld }) => !isOverAMinuteOld) ? [this.#aMinutePasses()] : []),
    ]
    return tasks.map(({ name, run }) => ({
      name,
      run: step =>
        run(step).catch((error: unknown) => {
          if (!(error instanceof DomainError)) this.#broken ??= error
        }),
    }))
  }

  #isPossible(act: Act): boolean {
    if (act === 'use the link') return this.#link !== undefined
    return act !== 'verify' || this.#verification !== undefined
  }

  /** The newest reset link mailed to the new address. */
  get #link(): string | undefined {
    const isReset = ({ kind }: MailMessage) => kind === 'moved' || kind === 'reset'
    return this.#world.mailed.findLast(({ to, message }) => to === addresses.new && isReset(message))?.message.token
  }

  get #verification(): string | undefined {
    const isVerification = ({ kind }: MailMessage) => kind === 'registration' || kind === 'verification'
    return this.#world.mailed.find(({ message }) => isVerification(message))?.message.token
  }

  /** The initial knowledge: an access token, an address, or a link. */
  #knownTo(act: Act): unknown {
    if (act === 'verify') return this.#verification
    if (act === 'use the link') return this.#link
    const { account } = this.#world
    if (act === 'lock' || act === 'revoke' || act === 'remove') return account?.email
    return act === 'move' || isOwners(act) ? account : null
  }

  #act(act: Act): Task {
    return {
      name: act,
      knows: [this.#world.clock, this.#knownTo(act)],
      run: async step => {
        this.#acts.splice(this.#acts.indexOf(act), 1)
        const now = ++this.#world.clock
        const deps = this.#world.deps(step, act === 'delete' ? 'delete' : 'request', { number: now - start, now })
        if (act === 'move') await this.#move(deps, step)
        else if (act === 'lock' || act === 'revoke' || act === 'remove') await this.#asOperator(act, deps, step)
        else await this.#asPerson(act, deps, step)
      },
    }
  }

  async #asPerson(act: Exclude<Act, 'lock' | 'revoke' | 'remove' | 'move'>, deps: Deps, step: Step): Promise<void> {
    const { password } = ada
    const world = this.#world
    const account = world.account && cloned(world.account)
    if (act === 'confirm') {
      await confirmEmailChange(deps, clientAddress, { token: 'pending', password }).catch((error: unknown) => {
        const isRefused = error instanceof DomainError && error.code !== 'unavailable'
        invariant('who has moved is not refused', !isRefused || !world.movers.has(step))
        throw error
      })
    } else if (act === 'undo') {
      await undoChange(deps, 'undo 0').catch((error: unknown) => {
        const isStalled = error instanceof DomainError && error.code === 'unavailable'
        invariant('who renames an account does not stall its undoing', !(isStalled && this.#isRenamedAlone))
        throw error
      })
    } else if (act === 'undo the later') await undoChange(deps, 'undo 1')
    else if (act === 'verify') await verifyEmail(deps, clientAddress, this.#verification ?? '')
    else if (act === 'ask to verify') await requestMail(deps, newClient(), 'verification', addresses.old)
    else if (act === 'ask to reset') await requestMail(deps, newClient(), 'reset', addresses.new)
    else if (act === 'reset' || act === 'use the link') {
      const token = act === 'reset' ? 'reset' : (this.#link ?? '')
      await resetPassword(deps, clientAddress, { token, new_password: toPassword('battery staple') })
    } else if (act === 'register old' || act === 'register new') {
      const email = act === 'register old' ? addresses.old : addresses.new
      await openAccount(deps, clientAddress, { email, password, name: null })
    } else if (account && isOwners(act)) await this.#asOwner(act, deps, account)
  }

  async #asOwner(act: OwnersAct, deps: Deps, account: Account): Promise<void> {
    const world = this.#world
    const { password } = ada
    if (act === 'ask again') await requestEmailChange(deps, newClient(), account, addresses.other)
    else if (act === 'rename') await changeProfile(deps, account, { name: `Countess ${this.#acts.length}` })
    else if (act === 'change') {
      await changePassword(deps, clientAddress, account, {
        current_password: password,
        new_password: toPassword('battery staple'),
      })
    } else {
      await deleteAccount(deps, clientAddress, account, { password })
      invariant('an account that was said to be deleted is gone', world.deleted.has(account.id))
    }
  }

  /** By an operator, who knows the account's id and finds its present address. */
  async #move(deps: Deps, step: Step): Promise<void> {
    const { account, movers } = this.#world
    if (!account) return
    await moveAccount(deps, { ...account }, addresses.new).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error
      invariant('who has moved is not refused', !movers.has(step))
    })
  }

  async #asOperator(act: 'lock' | 'revoke' | 'remove', deps: Deps, step: Step): Promise<void> {
    const world = this.#world
    const account = await deps.accounts.find(world.account?.email ?? '')
    if (account === null) return
    await step(
      `UpdateItem (${act})`,
      () => {
        if (act === 'remove') return world.delete(account)
        const isWritten = world.table[act](account, deps.now())
        world.isBarred ||= isWritten
        world.isLocked ||= isWritten && act === 'lock'
        return isWritten
      },
      refuse,
    )
  }

  #delivery(i: number): Task {
    const world = this.#world
    const { queue } = world
    const queued = queue[i]
    return {
      name: `delivery of ${queued?.message.token}`,
      knows: [world.clock, queued?.isOverAMinuteOld],
      run: async step => {
        if (!queued) return
        const now = world.clock + (queued.isOverAMinuteOld ? 60_001 : 0)
        const deps = world.deps(step, 'worker', { now }, queued.message)
        const outcome = await deliverMail(deps, queued.message, new Date(world.clock))
        if (outcome === 'early') return
        await step('DeleteMessage', () => void queue.splice(queue.indexOf(queued), 1))
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
