import type { Account, ProfileChange } from '../../accounts/account/account.ts'
import { noPassword } from '../../accounts/account/account.ts'
import type { AccountWrites } from '../../accounts/account/writes.ts'
import type { EmailChanges } from '../../accounts/address/change.ts'
import type { AddressWrites } from '../../accounts/address/writes.ts'
import type { MailMessage } from '../../accounts/mail/queue.ts'
import type { Challenges } from '../../accounts/passkey/challenge.ts'
import type { PasswordWrites } from '../../accounts/password/writes.ts'
import type { SessionWrites } from '../../accounts/session/writes.ts'
import { hashToken } from '../../accounts/token/token.ts'
import type { TokenWrites } from '../../accounts/token/writes.ts'
import type { Deps } from '../../api/deps.ts'
import { english } from '../support/letter-words.ts'
import { requireNoLeak } from '../support/service/log-law.ts'
import { cloned, ModelAccounts } from './accounts.ts'
import type { Step } from './explore.ts'
import { type Forgotten, ModelMoves } from './moves.ts'
import { drawing, noWrites, only, passwordWrites, refuse, start, unused, usual } from './outside.ts'

/** A change of the explored code, which the invariants must detect. */
export interface Mutation {
  forgotten?: Forgotten
  /** Single writes in place of a transaction, in this order. */
  singleWrites?: 'put first' | 'delete first'
  /** Code that takes "no account of this id here" for "deleted". */
  ignoresMoves?: 'delete' | 'worker'
  /** The worker does not wait for the move's idempotency token. */
  tellsAtOnce?: boolean
  /** No retry is recognised. */
  knowsNoMark?: boolean
  /** An undo revokes no link but its own, and a move by an operator none. */
  voidsNothing?: boolean
  /** What an operator's move omits to change. */
  leaves?: 'password' | 'verified'
  /** How an undo responds after losing to a new name: only by retrying, or by spending its link along with the account's access. */
  onLoss?: 'tries again' | 'spends its link'
}

/** The notices of a move. */
const moveNotices = ['email-changed', 'change-undone', 'moved-by-operator'] as const

/** The acting parties: the worker learns of changes by its own reads, requests by theirs. */
type Party = 'worker' | 'request' | 'delete'

/** The outside world: everything stored, queued and mailed, and the calls that reach it, each a step; and its invariants. */
export class MoveWorld {
  readonly table = new ModelAccounts()
  readonly moves: ModelMoves
  readonly queue: { message: MailMessage; isOverAMinuteOld: boolean }[] = []
  readonly mailed: { to: string; message: MailMessage }[] = []
  clock = start
  /** The addresses of deletions, by id. */
  readonly deleted = new Map<string, string>()
  /** The addresses of changed passwords, by idempotency token. */
  readonly #changed = new Map<string, string>()
  /** The hashes of the reset links that were used. */
  readonly #spent = new Set<string>()
  /** Idempotency tokens of moves from verified addresses, and of undos. */
  readonly #toBeTold: string[] = []
  readonly undone: string[] = []
  /** The address that an operator moved the account to, if any. */
  movedTo: string | null = null
  /** The name that was last written. */
  #name: string | null = null
  /** Accounts that were verified once, which nobody else may remove. */
  readonly #settled = new Set<string>()
  readonly #mutation: Mutation
  isBarred = false
  isLocked = false
  /** Tasks with a written move. */
  readonly movers = new WeakSet<Step>()

  readonly #isUntold: boolean

  constructor(mutation: Mutation, isUntold: boolean) {
    this.#isUntold = isUntold
    this.#mutation = mutation
    this.moves = new ModelMoves(this.table, mutation.forgotten)
  }

  /** The account that moves. */
  get account(): Account | undefined {
    return [...this.table.byEmail.values()].find(({ id }) => id === 'id 0')
  }

  state(): unknown {
    const { table, queue, mailed, clock, deleted, undone, isBarred, isLocked, movedTo, moves } = this
    const items = [...table.byEmail].sort(([one], [other]) => (one < other ? -1 : 1))
    const known = [[...moves.moved], [...moves.done], [...moves.undoable]]
    const past = [
      mailed,
      [...deleted],
      [...this.#changed],
      this.#toBeTold,
      undone,
      this.#name,
      isBarred,
      isLocked,
      movedTo,
    ]
    return [items, queue, known, past, clock, [...this.#settled]]
  }

  observe(): void {
    for (const { id, isVerified } of this.table.byEmail.values()) if (isVerified) this.#settled.add(id)
  }

  check(isOver: boolean): void {
    const ids = [...this.table.byEmail.values()].map(({ id }) => id)
    invariant('an id has one account', new Set(ids).size === ids.length)
    invariant('no account is lost', ids.includes('id 0') || this.deleted.has('id 0'))
    invariant('no deleted account comes back', !ids.some(id => this.deleted.has(id)))
    for (const id of this.#settled)
      invariant('nobody takes the account of a verified address', ids.includes(id) || this.deleted.has(id))
    const { account } = this
    invariant('a lock stays', !account || !this.isLocked || account.lockedAt !== null)
    if (account && this.movedTo !== null) {
      invariant('nobody takes an account from where an operator moved it', account.email === this.movedTo)
      const links = [...this.mailed.values()]
        .filter(({ to }) => to === this.movedTo)
        .map(m => hashToken(m.message.token))
      const isReset = links.some(hash => this.#spent.has(hash))
      invariant('only a link to its address sets a password after that', account.passwordHash === noPassword || isReset)
      invariant('only a link to its address verifies it', account.isVerified === isReset)
    }
    const told = new Set(moveNotices.flatMap(kind => [...this.#tokensOf(kind)]))
    if (!isOver) return
    invariant(
      'each move is told',
      this.#toBeTold.every(mark => told.has(mark)),
    )
    invariant('a name that was written stays', !account || this.#name === null || account.name === this.#name)
    const links = [...this.#tokensOf('reset'), ...this.#tokensOf('undone'), ...this.#tokensOf('moved')]
    const hasLink = account !== undefined && links.includes(account.tokens.reset.hash ?? '')
    const canEnter = account?.passwordHash !== noPassword || hasLink || this.#isUndoable()
    invariant('nobody is locked out', !account || this.isBarred || canEnter)
  }

  /** Whether the owner's undo link still works. */
  #isUndoable(): boolean {
    const change = this.moves.findUndoable(hashToken('undo 0'))
    const { undone = [] } = this.moves.find('id 0') ?? {}
    return change !== null && !undone.some(({ from, to }) => from <= change.tokenVersion && change.tokenVersion <= to)
  }

  #tokensOf(kind: MailMessage['kind']): Set<string> {
    return new Set(this.mailed.filter(({ message }) => message.kind === kind).map(m => hashToken(m.message.token)))
  }

  #mail(to: string, message: MailMessage): void {
    const hash = hashToken(message.token)
    if (moveNotices.some(kind => kind === message.kind)) {
      invariant('no move is told that did not happen, or elsewhere', this.moves.done.get(hash)?.from === to)
    } else if (message.kind === 'account-deleted') {
      invariant('a deletion is told where it happened', this.deleted.get(message.account_id) === to)
    } else if (message.kind === 'password-changed') {
      invariant('a new password is told where it was set', this.#changed.get(hash) === to)
    }
    this.mailed.push({ to, message })
  }

  /** @param task its number, if it draws anything, and its time */
  deps(step: Step, party: Party, { number, now }: { number?: number; now: number }, delivered?: MailMessage): Deps {
    const { table } = this
    const draw = drawing(number)
    return {
      now: () => new Date(now),
      newId: () => `id ${draw()}`,
      randomBytes: size => Buffer.alloc(size, `${draw()},`),
      pause: unused,
      challenges: only<Challenges>({}),
      factorKey: only({}),
      providers: [],
      providerNetwork: only({}),
      providerSecrets: only({}),
      log: requireNoLeak,
      config: {
        ...usual,
        rateLimits: null,
        mailFrom: 'no-reply@example.com',
        requireEmailVerification: false,
        secondFactor: 'optional',
      },
      clients: [],
      grants: only({}),
      isCommonPassword: () => false,
      queueMail: async message => {
        if (this.#isUntold && message.kind === 'change-undone') return
        await step('SendMessage', () => void this.queue.push({ message, isOverAMinuteOld: false }), refuse)
      },
      letterWords: () => english,
      sendMail: to => step('SendEmail', () => this.#mail(to, delivered as MailMessage), refuse),
      ...noWrites,
      accounts: only<AccountWrites>({
        find: address => step('GetItem', () => table.find(address), refuse),
        open: account => step('PutItem', () => table.insert(account), refuse),
        changeProfile: (account, change) => step('UpdateItem (rename)', () => this.#rename(account, change), refuse),
        delete: account => step('DeleteItem', () => this.delete(account), refuse),
      }),
      tokens: only<TokenWrites>({
        findHolder: (kind, hash) => step('Query', () => table.findByToken(kind, hash), refuse),
        store: (...stored) => step('UpdateItem (store)', () => table.storeToken(...stored), refuse),
      }),
      addresses: only<AddressWrites>({
        spendToken: (...spent) => step('UpdateItem (verify)', () => table.spendVerificationToken(...spent), refuse),
      }),
      sessions: only<SessionWrites>({
        // No invariant is about remembered clients, so this is no step.
        remember: async (account, clients) => table.rememberClients(account, clients),
      }),
      passwords: only<PasswordWrites>(
        passwordWrites(table, step, ({ email }, mark, spent) => {
          this.#changed.set(mark, email)
          if (spent !== undefined) this.#spent.add(spent)
        }),
      ),
      emailChanges: this.#movesOf(step, party),
      // Marks for imports, and caps, have tests of their own.
      counters: only<Deps['counters']>({ takeOnce: async () => true, mark: async () => {}, unmark: async () => {} }),
      postponeMail: unused,
      signer: { keyId: 'key', sign: async () => Buffer.from('signature') },
      publicKeys: unused as never,
    }
  }

  #rename(account: Account, change: ProfileChange): Account | null {
    const renamed = this.table.changeProfile(account, change)
    if (renamed) this.#name = renamed.name
    return renamed
  }

  delete(account: Account) {
    const outcome = this.table.delete(account)
    if (outcome === 'deleted') this.deleted.set(account.id, account.email)
    return outcome
  }

  #movesOf(step: Step, party: Party): EmailChanges {
    const { moves } = this
    const { ignoresMoves, tellsAtOnce, knowsNoMark, voidsNothing, singleWrites, leaves, onLoss } = this.#mutation
    const isDone = async (mark: string) =>
      (tellsAtOnce && party === 'worker') || (await step('GetItem (mark)', () => moves.isDone(mark), refuse))
    const recognised = async (mark: string) => (!knowsNoMark && (await isDone(mark)) ? 'done' : 'lost')
    return {
      find: async id => (ignoresMoves === party ? null : step('GetItem (moved)', () => moves.find(id), refuse)),
      isDone,
      findUndoable: hash => step('GetItem (undo)', () => moves.findUndoable(hash), refuse),
      move: async (account, move) => {
        const item = await step('GetItem (to move)', () => moves.read(account), refuse)
        if (item?.tokens.verification.hash !== move.hash) return recognised(move.mark)
        const undone = (await step('GetItem (moved)', () => moves.find(account.id), refuse))?.undone ?? []
        if (singleWrites) return this.#moveSingly(step, item, move.to, singleWrites)
        const isFirst = () => !moves.done.has(move.mark)
        return step(
          'TransactWriteItems (move)',
          () => {
            const isNew = isFirst()
            const present = table(this, item)
            const outcome = moves.commitMove(item, move, undone)
            if (!isNew) return knowsNoMark ? 'taken' : 'done'
            if (outcome !== 'done') return outcome
            this.movers.add(step)
            invariant(
              'no password moves an account after it was changed',
              present?.passwordHash === account.passwordHash,
            )
            if (item.isVerified) this.#toBeTold.push(move.mark)
            return outcome
          },
          refuse,
        )
      },
      undo: async (account, undoing) => {
        const isAway = account.email !== undoing.email
        const item = isAway ? await step('GetItem (to undo)', () => moves.read(account), refuse) : account
        if (item === null || (isAway && moves.isLate(item, undoing))) return recognised(undoing.mark)
        return step(
          'TransactWriteItems (undo)',
          () => {
            const made = voidsNothing ? { ...undoing, undone: [] } : undoing
            const outcome = isAway ? moves.commitUndo(item, made) : moves.commitUndoInPlace(item, made)
            if (outcome === 'done' && !this.undone.includes(undoing.hash)) {
              this.undone.push(undoing.hash)
              if (isAway && item.isVerified && !this.#isUntold) this.#toBeTold.push(undoing.mark)
            }
            return outcome
          },
          refuse,
        )
      },
      moveByOperator: async (account, takeback) => {
        const item = await step('GetItem (to move)', () => moves.read(account), refuse)
        if (item === null || moves.isLate(item, takeback)) return recognised(takeback.mark)
        return step(
          'TransactWriteItems (move by an operator)',
          () => {
            const isFirst = !moves.done.has(takeback.mark)
            const outcome = moves.commitMoveByOperator(item, voidsNothing ? { ...takeback, undone: [] } : takeback)
            if (!isFirst) return knowsNoMark ? 'taken' : 'done'
            if (outcome !== 'done') return outcome
            this.movers.add(step)
            this.movedTo = takeback.email
            const moved = this.table.byEmail.get(takeback.email)
            if (moved && leaves === 'password') moved.passwordHash = item.passwordHash
            if (moved && leaves === 'verified') moved.isVerified = true
            if (item.isVerified) this.#toBeTold.push(takeback.mark)
            return outcome
          },
          refuse,
        )
      },
      revokeAccess: async account => {
        if (onLoss === 'tries again') return false
        const isVoid = await step('UpdateItem (void)', () => moves.revokeAccess(account), refuse)
        if (onLoss) moves.undoable.clear()
        return isVoid
      },
    }
  }

  /** A move without transactions. */
  async #moveSingly(step: Step, item: Account, to: string, order: 'put first' | 'delete first') {
    const put = () => step('PutItem', () => void this.table.byEmail.set(to, { ...cloned(item), email: to }), refuse)
    const remove = () => step('DeleteItem', () => void this.table.delete(item), refuse)
    for (const write of order === 'put first' ? [put, remove] : [remove, put]) await write()
    return 'done' as const
  }
}

const table = ({ table }: MoveWorld, { email }: Account): Account | null => table.find(email)

export function invariant(text: string, holds: boolean): void {
  if (!holds) throw new Error(`broken: ${text}`)
}
