import { type AccountItem, toAccount } from '../../accounts/account/attributes.ts'
import { openByProvider } from '../../accounts/account/opening-by-provider.ts'
import { undoChange } from '../../accounts/address/undo.ts'
import type { Confirmation } from '../../accounts/identity/confirmation.ts'
import type { OfferedProvider } from '../../accounts/identity/provider.ts'
import { connect } from '../../accounts/login/connection.ts'
import { toPassword } from '../../accounts/password/password.ts'
import { resetPassword } from '../../accounts/password/reset.ts'
import { hashToken } from '../../accounts/token/token.ts'
import { CommandError } from '../../operations/command-line/failures.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { providers } from '../support/providers.ts'
import type { Harness } from '../support/service/harness.ts'
import { connect as connectDirectly, identityOf, subjectsOf } from '../support/service/identities.ts'
import { changePassword, confirmEmailChange, deleteAccount, disconnectProvider } from '../support/service/owner.ts'
import { ada, find, move, newClient, register, requestMove, requestToken } from '../support/service/people.ts'

const bob = { email: 'bob@example.com', password: 'battery staple' }
const [provider] = providers as [OfferedProvider]

/** Mailboxes of Ada's. */
const elsewhere = 'ada@example.org'

/** Acts on accounts with identities: of Ada, who may have one, Bob, who has none, and newcomers. */
export type Act =
  | 'connect'
  | 'connect to Bob'
  | 'open'
  | 'disconnect'
  | 'reset'
  | 'reset that keeps'
  | 'undo'
  | 'undo the move'
  | 'move'
  | 'delete'
  | 'change'
  | 'revoke'
  | 'disconnect all'
  | 'move by an operator'
  | 'delete by an operator'

/** Acts that end all earlier connections. */
const ending: readonly Act[] = ['reset', 'undo', 'undo the move', 'revoke', 'disconnect all', 'move by an operator']

/** The place of Ada's account with its identity, or that it has none. */
export type Scene = 'at home' | 'without' | 'moved'

/** The outside world at the beginning of each run. */
interface Prepared {
  users: Record<string, unknown>[]
  rateLimits: Record<string, unknown>[]
  tokens: { reset: string; move: string; undo: string }
}

/** The outcome of a request. */
export type Outcome = 'done' | 'refused' | 'dead'

/** Two people, one provider, and operators, by the domain's own code over the embedded tables; and its invariants. */
export class IdentitySystem {
  readonly #harness: Harness
  readonly #prepared = new Map<Scene, Prepared>()
  #tokens: Prepared['tokens'] = { reset: '', move: '', undo: '' }
  #adaId = ''
  #bobId = ''

  constructor(harness: Harness) {
    this.#harness = harness
  }

  /** Restores the beginning of a scene. */
  async begin(scene: Scene): Promise<void> {
    const { config, queue, mails, events, calls } = this.#harness
    config.rateLimits = null
    await this.#harness.clear()
    for (const list of [queue, mails, events, calls]) list.length = 0
    const prepared = this.#prepared.get(scene) ?? (await this.#prepare(scene))
    this.#prepared.set(scene, prepared)
    await this.#harness.clear()
    for (const item of prepared.users) await this.#harness.put(item, 'Users')
    for (const item of prepared.rateLimits) await this.#harness.put(item, 'RateLimits')
    this.#tokens = prepared.tokens
    const idOf = (start: string) => String(prepared.users.find(({ email }) => String(email).startsWith(start))?.id)
    this.#adaId = idOf('ada')
    this.#bobId = idOf('bob')
    this.#harness.advance(1000)
  }

  async #prepare(scene: Scene): Promise<Prepared> {
    const harness = this.#harness
    const { deps, operator } = harness
    for (const person of [ada, bob]) {
      const { account } = await register(harness, person)
      await operator.verify(account, deps.now())
    }
    harness.advance(1000)
    if (scene !== 'without') await connectDirectly(harness, 'first')
    const undo = 'undo'
    if (scene !== 'moved')
      await harness.addUndoable(hashToken(undo), await find(harness), new Date(deps.now().getTime() + 3_600_000_000))
    const moved = scene === 'moved' ? await move(harness, elsewhere) : undo
    harness.advance(1000)
    const address = scene === 'moved' ? elsewhere : ada.email
    const reset = await requestToken(harness, 'reset', address)
    const to = scene === 'moved' ? 'ada@example.net' : elsewhere
    const tokens = { reset, move: await requestMove(harness, to, address), undo: moved }
    return { users: await harness.items('Users'), rateLimits: await harness.items('RateLimits'), tokens }
  }

  /** The address of Ada's account, while there is one. */
  async #address(): Promise<string> {
    const items = await this.#harness.items('Users')
    return String(items.find(({ id, email }) => id === this.#adaId && String(email).includes('@'))?.email ?? ada.email)
  }

  /** Performs it. @throws any error that is no refusal */
  async act(act: Act): Promise<Outcome> {
    return (await this.prepare(act))()
  }

  /** @returns performs it, with everything known before the first call */
  async prepare(act: Act): Promise<() => Promise<Outcome>> {
    const run = await this.#prepareAct(act)
    this.#harness.advance(1)
    return () =>
      run().then(
        isDone => (isDone === false ? 'refused' : 'done'),
        (error: unknown) => {
          if (error instanceof DomainError || error instanceof CommandError) return 'refused'
          throw error
        },
      )
  }

  async #prepareAct(act: Act): Promise<() => Promise<unknown>> {
    const { deps, operator } = this.#harness
    const address = await this.#address()
    const { reset: token, move: moving, undo } = this.#tokens
    const client = newClient()
    const item = async () => {
      const found = await operator.find(address)
      if (found?.id !== this.#adaId) throw new DomainError('not-authenticated')
      return found
    }
    // With an access token: the account as authenticated.
    const owner = async () => toAccount(await item())
    const resetting = (keep_other_logins: boolean) => () =>
      resetPassword(deps, client, { token, new_password: toPassword('battery of horses'), keep_other_logins })
    const acts: Record<Act, () => Promise<unknown>> = {
      connect: () => this.#connect(address, ada.password, 'late'),
      'connect to Bob': () => this.#connect(bob.email, bob.password, 'late'),
      open: () => this.#open(),
      disconnect: async () => {
        const { key: id } = identityOf(this.#harness, 'first')
        await disconnectProvider({ ...deps, providers }, client, await owner(), { id, password: ada.password }, {})
      },
      reset: resetting(false),
      'reset that keeps': resetting(true),
      undo: () => undoChange(deps, undo),
      'undo the move': () => undoChange(deps, undo),
      move: () => confirmEmailChange(deps, client, { token: moving, password: ada.password }),
      delete: async () => deleteAccount(deps, client, await owner(), { password: ada.password }),
      change: async () => {
        const proof = { current_password: ada.password, new_password: toPassword('a new password') }
        await changePassword(deps, client, await owner(), proof)
      },
      revoke: async () => operator.revoke(await item(), deps.now()),
      'disconnect all': async () => operator.disconnect(await item(), deps.now()),
      'move by an operator': async () =>
        operator.move(await item(), 'ada@example.edu', { mailFrom: null, queueMail: deps.queueMail }),
      'delete by an operator': async () =>
        // As in the command: a retried deletion finds no account.
        (await operator.remove(await item())) || (await operator.find(address)) === null,
    }
    return acts[act]
  }

  #confirmation(subject: string, email: string): Confirmation {
    const { issuer } = identityOf(this.#harness, subject)
    return {
      provider,
      confirmed: {
        ...{
          provider: provider.id,
          issuer,
          subject,
          email,
          isEmailProven: true,
          name: null,
          authTime: null,
          claims: {},
        },
      },
      spend: async () => {},
      carriedBy: async error => error,
    }
  }

  async #connect(email: string, password: string, subject: string): Promise<void> {
    const confirmation = this.#confirmation(subject, `${subject}@provider.example`)
    const { deps } = this.#harness
    const { spend } = await connect(
      deps,
      newClient(),
      confirmation,
      { email, password: toPassword(password) },
      async () => null,
    )
    await spend()
  }

  async #open(): Promise<boolean> {
    const { deps } = this.#harness
    const confirmation = this.#confirmation('late', 'late@example.com')
    const { key } = identityOf(this.#harness, 'late')
    const { account, pointer } = await deps.identities.findHolder(key)
    if (account !== null) return true
    const caller = { clientAddress: newClient(), acceptLanguage: undefined }
    return (await openByProvider(deps, caller, confirmation, key, pointer)) !== null
  }

  /** @param done the acts, with their ends in milliseconds */
  async check(done: readonly { act: Act; outcome: Outcome; endedAt: number }[]): Promise<void> {
    await subjectsOf(this.#harness)
    const items = (await this.#harness.items('Users')) as unknown as AccountItem[]
    const isDone = (...acts: Act[]) => done.some(({ act, outcome }) => acts.includes(act) && outcome !== 'refused')
    const adas = items.filter(({ id, email }) => id === this.#adaId && email.includes('@'))
    invariant('an account is in one place', adas.length <= 1)
    invariant('no account is lost', adas.length === 1 || isDone('delete', 'delete by an operator'))
    invariant(
      'nobody else is touched',
      items.some(({ id, email }) => id === this.#bobId && email === bob.email),
    )
    const holders = items.filter(({ identities }) => identities)
    invariant(
      'nobody has an identity at an address that is not verified',
      holders.every(({ is_verified }) => is_verified),
    )
    const [item] = adas
    if (!item) return
    const { identities } = toAccount(item)
    for (const { act, outcome, endedAt } of done) {
      if (outcome !== 'done' || !ending.includes(act)) continue
      const before = identities.filter(({ connectedAt }) => connectedAt.getTime() <= endedAt)
      invariant(`after ${act} nothing that was connected before logs in`, before.length === 0)
    }
  }

  get now(): number {
    return this.#harness.deps.now().getTime()
  }
}

function invariant(text: string, holds: boolean): void {
  if (!holds) throw new Error(`broken: ${text}`)
}
