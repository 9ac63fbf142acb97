import type { Account, Accounts } from '../../shared/accounts/account.ts'
import type { EmailChanges } from '../../shared/accounts/email-change.ts'
import type { MailMessage } from '../../shared/accounts/mail/queue.ts'
import { noPassword } from '../../shared/accounts/passwords/password-hash.ts'
import { hashToken } from '../../shared/accounts/tokens/one-time-token.ts'
import type { Deps } from '../../shared/api/deps.ts'
import { ModelAccounts } from './accounts.ts'
import type { Step } from './explore.ts'
import { type Forgotten, ModelMoves } from './moves.ts'
import { only, passwordWrites, refuse, start, unused, usual } from './outside.ts'

/** What is changed in the code that is explored, to see that the laws notice. */
export interface Mutation {
  forgotten?: Forgotten
  /** Single writes in place of a transaction, in this order. */
  singleWrites?: 'put first' | 'delete first'
  /** Who takes "there is no account of this id here" for "deleted". */
  ignoresMoves?: 'delete' | 'worker'
  /** The worker does not wait for the mark of a move. */
  tellsAtOnce?: boolean
  /** No repeat is recognised. */
  knowsNoMark?: boolean
  /** An undo voids no link but its own. */
  voidsNothing?: boolean
}

/** Who acts: the worker is told of changes by what it reads, requests by what they read. */
type Party = 'worker' | 'request' | 'delete'

/** The outside world: what is stored, queued and mailed, and the calls that reach it, each of them a step; and its laws. */
export class MoveWorld {
  readonly table = new ModelAccounts()
  readonly moves: ModelMoves
  readonly queue: { message: MailMessage; isOverAMinuteOld: boolean }[] = []
  readonly mailed: { to: string; message: MailMessage }[] = []
  clock = start
  /** Where accounts were deleted, by id. */
  readonly deleted = new Map<string, string>()
  /** Where passwords were changed, by mark. */
  readonly #changed = new Map<string, string>()
  /** Marks of moves from verified addresses, and of undoings. */
  readonly #toBeTold: string[] = []
  readonly undone: string[] = []
  /** The name that was last promised to the owner. */
  promisedName: string | null = null
  /** Accounts that were verified once, which nobody else may remove. */
  readonly #settled = new Set<string>()
  readonly #mutation: Mutation
  #draws = 0
  isBarred = false
  /** Tasks whose moves were written. */
  readonly movers = new WeakSet<Step>()

  constructor(mutation: Mutation) {
    this.#mutation = mutation
    this.moves = new ModelMoves(this.table, mutation.forgotten)
  }

  /** The account that moves. */
  get account(): Account | undefined {
    return [...this.table.byEmail.values()].find(({ id }) => id === 'ada')
  }

  state(): unknown {
    const { table, queue, mailed, clock, deleted, undone, promisedName, isBarred, moves } = this
    const items = [...table.byEmail].sort(([one], [other]) => (one < other ? -1 : 1))
    const known = [[...moves.moved], [...moves.done], [...moves.undoable]]
    const past = [mailed, [...deleted], [...this.#changed], this.#toBeTold, undone, promisedName, isBarred]
    return [items, queue, known, past, clock, this.#draws, [...this.#settled]]
  }

  check(isOver: boolean): void {
    const ids = [...this.table.byEmail.values()].map(({ id }) => id)
    law('an id has one account', new Set(ids).size === ids.length)
    law('no account is lost', ids.includes('ada') || this.deleted.has('ada'))
    law('no deleted account comes back', !ids.some(id => this.deleted.has(id)))
    for (const { id, isVerified } of this.table.byEmail.values()) if (isVerified) this.#settled.add(id)
    for (const id of this.#settled)
      law('nobody takes the account of a verified address', ids.includes(id) || this.deleted.has(id))
    const told = this.#tokensOf('email-changed')
    if (!isOver) return
    law(
      'each move is told',
      this.#toBeTold.every(mark => told.has(mark)),
    )
    const { account } = this
    law('a name that was promised stays', !account || this.promisedName === null || account.name === this.promisedName)
    const links = [...this.#tokensOf('reset'), ...this.#tokensOf('undone')]
    const canEnter = account?.passwordHash !== noPassword || links.includes(account.tokens.reset.hash ?? '')
    law('nobody is locked out', !account || this.isBarred || canEnter)
  }

  #tokensOf(kind: MailMessage['kind']): Set<string> {
    return new Set(this.mailed.filter(({ message }) => message.kind === kind).map(m => hashToken(m.message.token)))
  }

  #mail(to: string, message: MailMessage): void {
    const hash = hashToken(message.token)
    if (message.kind === 'email-changed') {
      law('no move is told that did not happen, or elsewhere', this.moves.done.get(hash)?.from === to)
    } else if (message.kind === 'account-deleted') {
      law('a deletion is told where it happened', this.deleted.get(message.account_id) === to)
    } else if (message.kind === 'password-changed') {
      law('a new password is told where it was set', this.#changed.get(hash) === to)
    }
    this.mailed.push({ to, message })
  }

  deps(step: Step, party: Party, now?: number, delivered?: MailMessage): Deps {
    const { table } = this
    return {
      now: () => new Date(now ?? this.clock),
      newId: () => `id ${++this.#draws}`,
      randomBytes: size => Buffer.alloc(size, ++this.#draws),
      pause: unused,
      factorKey: only({}),
      log: () => {},
      config: {
        ...usual,
        rateLimits: null,
        mailFrom: 'no-reply@example.com',
        requireEmailVerification: false,
      },
      isCommonPassword: () => false,
      queueMail: message =>
        step('SendMessage', () => void this.queue.push({ message, isOverAMinuteOld: false }), refuse),
      sendMail: to => step('SendEmail', () => this.#mail(to, delivered as MailMessage), refuse),
      accounts: only<Accounts>({
        find: address => step('GetItem', () => table.find(address), refuse),
        findByToken: (kind, hash) => step('Query', () => table.findByToken(kind, hash), refuse),
        insert: account => step('PutItem', () => table.insert(account), refuse),
        rename: (account, name) => step('UpdateItem (rename)', () => table.rename(account, name), refuse),
        storeToken: (...stored) => step('UpdateItem (store)', () => table.storeToken(...stored), refuse),
        spendVerificationToken: (...spent) =>
          step('UpdateItem (verify)', () => table.spendVerificationToken(...spent), refuse),
        ...passwordWrites(table, step, ({ email }, mark) => this.#changed.set(mark, email)),
        delete: account => step('DeleteItem', () => this.delete(account), refuse),
      }),
      emailChanges: this.#movesOf(step, party),
      // The marks for imports, and caps, have tests of their own.
      counters: only<Deps['counters']>({ takeOnce: async () => true, mark: async () => {}, unmark: async () => {} }),
      postponeMail: unused,
      signer: { keyId: 'key', sign: async () => Buffer.from('signature') },
      publicKeys: unused,
    }
  }

  delete(account: Account) {
    const outcome = this.table.delete(account)
    if (outcome === 'deleted') this.deleted.set(account.id, account.email)
    return outcome
  }

  #movesOf(step: Step, party: Party): EmailChanges {
    const { moves } = this
    const { ignoresMoves, tellsAtOnce, knowsNoMark, voidsNothing, singleWrites } = this.#mutation
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
            law('no password moves an account after it was changed', present?.passwordHash === account.passwordHash)
            if (item.isVerified) this.#toBeTold.push(move.mark)
            return outcome
          },
          refuse,
        )
      },
      undo: async (account, undoing) => {
        const item = await step('GetItem (to undo)', () => moves.read(account), refuse)
        if (item === null || moves.isLate(item, undoing)) return recognised(undoing.mark)
        return step(
          'TransactWriteItems (undo)',
          () => {
            const outcome = moves.commitUndo(item, voidsNothing ? { ...undoing, undone: [] } : undoing)
            if (outcome === 'done' && !this.undone.includes(undoing.hash)) this.undone.push(undoing.hash)
            return outcome
          },
          refuse,
        )
      },
    }
  }

  /** What a move would be without transactions. */
  async #moveSingly(step: Step, item: Account, to: string, order: 'put first' | 'delete first') {
    const put = () =>
      step('PutItem', () => void this.table.byEmail.set(to, { ...structuredClone(item), email: to }), refuse)
    const remove = () => step('DeleteItem', () => void this.table.delete(item), refuse)
    for (const write of order === 'put first' ? [put, remove] : [remove, put]) await write()
    return 'done' as const
  }
}

const table = ({ table }: MoveWorld, { email }: Account): Account | null => table.find(email)

export function law(text: string, holds: boolean): void {
  if (!holds) throw new Error(`broken: ${text}`)
}
