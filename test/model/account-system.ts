import { type Account, isAsRead, noPassword } from '../../accounts/account/account.ts'
import { type AccountItem, toAccount, toItem } from '../../accounts/account/attributes.ts'
import { openAccount } from '../../accounts/account/opening.ts'
import { openByProvider } from '../../accounts/account/opening-by-provider.ts'
import { changeProfile } from '../../accounts/account/profile.ts'
import { removeAccount } from '../../accounts/account/writes.ts'
import { deletionMarks } from '../../accounts/address/deletion-marks.ts'
import { requestEmailChange } from '../../accounts/address/request.ts'
import { undoChange } from '../../accounts/address/undo.ts'
import { verifyEmail } from '../../accounts/address/verification.ts'
import { undoable } from '../../accounts/change/change.ts'
import { changeOf, mayUndoSetUp } from '../../accounts/change/changes.ts'
import { deliverMail } from '../../accounts/delivery/deliver-mail.ts'
import { bytesOfBase32 } from '../../accounts/factor/codes.ts'
import { confirmFactor } from '../../accounts/factor/set-up.ts'
import { codeOf, stepOf } from '../../accounts/factor/totp.ts'
import type { Confirmation } from '../../accounts/identity/confirmation.ts'
import { identityKey } from '../../accounts/identity/identity.ts'
import type { OfferedProvider } from '../../accounts/identity/provider.ts'
import { connect } from '../../accounts/login/connection.ts'
import { logIn } from '../../accounts/login/login.ts'
import { announce } from '../../accounts/mail/announcements.ts'
import { requestMail } from '../../accounts/mail/queue.ts'
import type { Passkey } from '../../accounts/passkey/passkey.ts'
import { acceptInvitation } from '../../accounts/password/invitation.ts'
import { toPassword } from '../../accounts/password/password.ts'
import { resetPassword } from '../../accounts/password/reset.ts'
import { logOutEverywhere } from '../../accounts/session/ending.ts'
import { issueLoginTokens } from '../../accounts/session/opening.ts'
import { refresh } from '../../accounts/session/refresh.ts'
import { writeRefreshToken } from '../../accounts/session/refresh-token.ts'
import { hashToken } from '../../accounts/token/token.ts'
import type { Deps } from '../../api/deps.ts'
import { CommandError } from '../../operations/command-line/failures.ts'
import { AccountChanges } from '../../operations/users/account-changes.ts'
import { inviteAccount } from '../../operations/users/invite-account.ts'
import { neverKept } from '../../operations/users/kept-attributes.ts'
import { moveAccount } from '../../operations/users/move-account.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { providers } from '../support/providers.ts'
import { openable } from '../support/service/openable.ts'
import * as owner from '../support/service/owner.ts'
import { ada } from '../support/service/people.ts'
import { type Kept, type Mutation, mailboxes, World } from './account-world.ts'
import type { Step, System, Task } from './explore.ts'
import { atOnce, clientAddress, invariant, invitingTable, passwordHash, place } from './outside.ts'

const [provider] = providers as [OfferedProvider]
const { password } = ada
const others = toPassword('battery staple')
const { old } = mailboxes
type Mailbox = keyof typeof mailboxes

/** Somebody who acts, one act after the other. */
type Actor = 'owner' | 'thief' | 'stranger' | 'operator'

/** What everybody may do, each by the domain's own code. A dash leads to whom or what. */
export type Act =
  | keyof typeof acts
  | `${'move' | 'register' | 'log in' | 'forgot' | 'invite' | 'accept' | 'verify'}-${Mailbox}`

export interface Scenario {
  /** What has happened before. */
  before?: readonly Act[]
  scripts: Partial<Record<Actor, readonly Act[]>>
  /** Whose acts happen at once. */
  atOnce?: readonly Actor[]
  /** Whether mail is delivered at any time, each call a step; else in the end. */
  isMailed?: boolean
  /** What the thief has, and nothing else. */
  stolen?: 'password' | 'mailbox'
  /** Whether notices are left to other scenarios. */
  isUntold?: boolean
}

/** What somebody acts with. */
interface Turn {
  world: World
  deps: Deps
  step: Step
  name: string
  /** Delivers the mail that is there, at once. */
  deliver(): Promise<void>
  to: Mailbox
  number: number
  /** Whether AWS has failed one of its calls. */
  isFaulty: () => boolean
}

/** Ada's account as who is logged in reads it. Others than her log in anew while the password is the one that they know. */
async function authenticated({ deps, name }: Pick<Turn, 'deps' | 'name'>): Promise<Account> {
  const account = await deps.accounts.find('ada')
  const hash = account?.passwordHash
  const isKnown = name.startsWith('owner') ? hash !== noPassword : hash === passwordHash
  if (account === null || !isKnown) throw new DomainError('invalid-access-token')
  return account
}

/** The password, and a recovery code where somebody has one. */
const proof = ({ secrets }: World) => ({ password, code: secrets.codes.pop() })

function confirmation(subject: string, email: string): Confirmation {
  const known = { provider: provider.id, issuer: provider.issuer, subject, email, isEmailProven: true, name: null }
  const confirmed = { ...known, authTime: null, claims: {} }
  return { provider, confirmed, spend: async () => {}, carriedBy: async error => error }
}

async function connectTo({ deps, world }: Turn, email: string, subject: string): Promise<void> {
  const credentials = { email, ...proof(world) }
  const proven = await connect(
    deps,
    clientAddress,
    confirmation(subject, mailboxes.third),
    credentials,
    async () => null,
  )
  await proven.spend()
}

/** Asks for a link by mail, at once. */
async function linkOf(turn: Turn, page: string, to: string, ask: (deps: Deps) => Promise<void>): Promise<string> {
  const { world } = turn
  const quiet = world.deps(atOnce, `${turn.name} asks`, 100 + turn.number)
  await ask(quiet)
  await turn.deliver()
  return world.links(page, to).at(-1) ?? ''
}

async function reset(turn: Turn, keep_other_logins: boolean): Promise<void> {
  const email = turn.world.ada?.email ?? old
  const token = await linkOf(turn, 'reset-password', email, deps => requestMail(deps, clientAddress, 'reset', email))
  await resetPassword(turn.deps, clientAddress, { token, new_password: others, keep_other_logins })
}

const acts = {
  async move(turn: Turn): Promise<void> {
    const { world, deps, to } = turn
    const email = mailboxes[to]
    const token = await linkOf(turn, 'change-email', email, async quiet =>
      requestEmailChange(quiet, clientAddress, await authenticated({ ...turn, deps: quiet }), email),
    )
    await owner.confirmEmailChange(deps, clientAddress, { token, ...proof(world) })
    if (world.safe === 'reset') world.safe = 'moved'
  },
  async register({ deps, to }: Turn): Promise<void> {
    await openAccount(deps, clientAddress, { email: mailboxes[to], password: others, name: null })
  },
  async verify(turn: Turn): Promise<void> {
    await turn.deliver()
    await verifyEmail(turn.deps, clientAddress, turn.world.links('verify-email', mailboxes[turn.to]).at(-1) ?? '')
  },
  async 'log in'({ deps, to }: Turn): Promise<void> {
    await issueLoginTokens(deps, await logIn(deps, clientAddress, { email: mailboxes[to], password }), { label: null })
  },
  forgot: ({ deps, to }: Turn) => requestMail(deps, clientAddress, 'reset', mailboxes[to]),
  async invite({ deps, step, world, name, to }: Turn): Promise<void> {
    const table = invitingTable(world.store(step, name))
    await inviteAccount({ ...deps, table }, { email: mailboxes[to], name: null, roles: null, language: null })
  },
  async accept(turn: Turn): Promise<void> {
    await turn.deliver()
    const token = turn.world.links('invitation', mailboxes[turn.to]).at(-1) ?? ''
    await acceptInvitation(turn.deps, clientAddress, { token, new_password: others, name: null })
  },
  reset: (turn: Turn) => reset(turn, false),
  'reset that keeps': (turn: Turn) => reset(turn, true),
  async 'reset that keeps the password'(turn: Turn): Promise<void> {
    const email = turn.world.ada?.email ?? old
    const token = await linkOf(turn, 'reset-password', email, deps => requestMail(deps, clientAddress, 'reset', email))
    // The same password, so that what follows knows it.
    const change = { token, new_password: password, keep_other_logins: true }
    await resetPassword({ ...turn.deps }, clientAddress, change)
    if (turn.world.ada?.factor) turn.world.safe = 'reset'
  },
  async 'set up an app'(turn: Turn): Promise<void> {
    const { deps, world } = turn
    const account = await authenticated(turn)
    const { secret } = await owner.setUpFactor(deps, clientAddress, account, proof(world))
    const code = codeOf(bytesOfBase32(secret), stepOf(deps.now()))
    const present = await authenticated(turn)
    if (!isAsRead(present, account)) throw new DomainError('invalid-access-token')
    const { recoveryCodes } = await confirmFactor(deps, clientAddress, present, code)
    world.secrets.codes = [...recoveryCodes]
  },
  async 'add a passkey'(turn: Turn): Promise<void> {
    const { deps } = turn
    const account = await authenticated(turn)
    // As `confirmPasskey` does for a credential that is right.
    const hash = await announce(deps, 'passkey-added', account)
    const change = changeOf(account, { kind: 'passkey', hash, hasLink: mayUndoSetUp(deps, account) }, deps.now())
    const key = { publicKey: Buffer.from('key'), signCount: 0, transports: [], backupEligible: true, backedUp: true }
    const passkey: Passkey = { ...key, id: deps.newId(), label: '', createdAt: change.at, lastUsedAt: null }
    if (!(await deps.passkeys.add(account, passkey, change, deps.now()))) throw new DomainError('unavailable')
  },
  async 'add and remove a passkey'(turn: Turn): Promise<void> {
    await acts['add a passkey'](turn)
    const account = await authenticated(turn)
    const [{ id = '' } = {}] = account.passkeys
    await turn.deps.passkeys.remove(account, id, { mark: turn.deps.newId(), clients: [] }, turn.deps.now())
  },
  connect: (turn: Turn) => connectTo(turn, turn.world.ada?.email ?? old, 'late'),
  'connect to Bob': (turn: Turn) => connectTo(turn, mailboxes.bob, 'late'),
  async disconnect(turn: Turn): Promise<void> {
    const id = identityKey(provider.issuer, 'late')
    const deps = { ...turn.deps, providers }
    await owner.disconnectProvider(deps, clientAddress, await authenticated(turn), { id, ...proof(turn.world) }, {})
  },
  /** By the identity `late`: it logs in, or opens an account at the address of its name. */
  async 'log in by a provider'({ deps }: Turn): Promise<void> {
    const key = identityKey(provider.issuer, 'late')
    const caller = { clientAddress, acceptLanguage: undefined }
    const { account, read } = await deps.identities.findHolder(key)
    if (account === null) await openByProvider(deps, caller, confirmation('late', mailboxes.late), key, read)
  },
  async 'open at the old address'({ deps }: Turn): Promise<void> {
    const key = identityKey(provider.issuer, 'newcomer')
    const { read } = await deps.identities.findHolder(key)
    const caller = { clientAddress, acceptLanguage: undefined }
    await openByProvider(deps, caller, confirmation('newcomer', old), key, read)
  },
  /** By the owner, with the newest link in her old mailbox that works. */
  async undo(turn: Turn): Promise<void> {
    await turn.deliver()
    await undo(turn, turn.world.links('undo', old))
  },
  /** With the link that an earlier change mailed. */
  async 'undo the first'(turn: Turn): Promise<void> {
    await turn.deliver()
    await undo(turn, turn.world.links('undo', old).slice(0, 1))
  },
  async 'undo the undo'(turn: Turn): Promise<void> {
    await turn.deliver()
    await undoChange(
      turn.deps,
      turn.world.links('undo').findLast(token => !turn.world.links('undo', old).includes(token)) ?? '',
    )
  },
  /** By who has copied them while he read the mailbox. */
  async 'click all copies'(turn: Turn): Promise<void> {
    await turn.deliver()
    for (const token of turn.world.links('undo', old)) await undoChange(turn.deps, token).catch(onlyRefused)
  },
  async delete(turn: Turn): Promise<void> {
    await owner.deleteAccount(turn.deps, clientAddress, await authenticated(turn), proof(turn.world))
    invariant('an account that was said to be deleted is gone', turn.world.ada === undefined)
  },
  async 'delete by an operator'({ world, deps, step, name }: Turn): Promise<void> {
    const store = world.store(step, name)
    const item = await store.findItem('ada')
    if (item)
      await removeAccount(
        store,
        deletionMarks(null as never, () => 'RateLimits'),
        toAccount(item),
        deps.now(),
      )
  },
  /** What the file of before has, with a new version. */
  async import({ world, deps, step, name }: Turn): Promise<void> {
    const store = world.store(step, name)
    const file = world.secrets.copies.file as AccountItem
    const lost = world.mutation.importsAll ? [] : neverKept
    const kept = Object.fromEntries(Object.entries(file).filter(([member]) => !(lost as string[]).includes(member)))
    const nothing = toItem(toAccount(file), deps.now())
    const item = { ...nothing, ...kept, token_version: Math.floor(deps.now().getTime() / 1000) } as AccountItem
    const leads = []
    for (const key of Object.keys(item.identities)) {
      const { account, read } = await deps.identities.findHolder(key)
      if (account !== null) return
      leads.push(store.lead('Identities', key, item.id, read))
    }
    await store.together([store.add(item), store.lead('Addresses', item.email, item.id), ...leads])
  },
  /** Tries all that worked once: tokens, sessions and links of the account that was deleted. */
  async 'use what is old'({ world, deps }: Turn): Promise<void> {
    const file = toAccount(world.secrets.copies.file as AccountItem)
    const wasDeleted = world.deleted.includes('ada')
    const [session] = file.sessions
    const tries: (() => Promise<unknown>)[] = [
      ...world.links('undo').map(token => () => undoChange(deps, token)),
      ...world
        .links('reset-password')
        .map(token => () => resetPassword(deps, clientAddress, { token, new_password: others })),
      ...world.links('verify-email').map(token => () => verifyEmail(deps, clientAddress, token)),
      ...world
        .links('change-email')
        .map(token => () => owner.confirmEmailChange(deps, clientAddress, { token, password })),
      ...(session ? [() => refresh(deps, writeRefreshToken('ada', session, 's'.repeat(43)))] : []),
      async () => {
        if (!isAsRead(await deps.accounts.find('ada'), file)) throw new DomainError('invalid-access-token')
      },
    ]
    for (const attempt of tries) {
      const isRefused = await attempt().then(() => false, onlyRefused)
      invariant('nothing of a deleted account works again', isRefused || !wasDeleted)
    }
  },
  async 'log out everywhere'(turn: Turn): Promise<void> {
    await logOutEverywhere(turn.deps, clientAddress, await authenticated(turn))
  },
  async rename(turn: Turn): Promise<void> {
    await changeProfile(turn.deps, await authenticated(turn), { name: 'Countess' })
  },
  async 'change the password'(turn: Turn): Promise<void> {
    const { password: current_password, code } = proof(turn.world)
    const passwords = { current_password, code, new_password: others }
    await owner.changePassword(turn.deps, clientAddress, await authenticated(turn), passwords)
  },
  async revoke({ world, step, name, deps }: Turn): Promise<void> {
    const changes = new AccountChanges(world.store(step, name))
    const { ada } = world
    if (ada) await changes.revoke(ada, deps.now())
  },
  async 'move by an operator'({ world, deps }: Turn): Promise<void> {
    const { ada } = world
    if (ada) await moveAccount(deps, ada, mailboxes.new)
  },
  async 'a week passes'({ world }: Turn): Promise<void> {
    world.clock += 7 * 24 * 3_600_000 + 1
  },
}

/** @returns true for a refusal @throws any other error */
function onlyRefused(error: unknown): true {
  if (!(error instanceof DomainError) && !(error instanceof CommandError)) throw error
  return true
}

/** An undo by the owner: it wins, unless the account is moved while it goes on. */
async function undo({ deps, world, isFaulty }: Turn, links: readonly string[]): Promise<void> {
  const living = () => {
    const hashes = world.ada ? undoable(world.ada, deps.now()).map(({ hash }) => hash) : []
    return links.findLast(token =>
      hashes.includes(hashToken(Buffer.from(token, 'base64url').toString('base64url', 0, 32))),
    )
  }
  const token = living() ?? links.at(-1) ?? ''
  const [wasLiving, { moves }] = [living() !== undefined, world]
  await undoChange(deps, token).catch((error: unknown) => {
    const isTaken = world.accounts.some(({ id, email, isVerified }) => id !== 'ada' && email === old && isVerified)
    if (error instanceof DomainError && world.ada && wasLiving && !isFaulty())
      invariant('a living undo link takes the account back', world.moves !== moves || isTaken || living() === undefined)
    throw error
  })
  world.isBack = true
}

const scenes = new Map<string, Promise<Kept>>()

/** Prepares what a scenario begins with, once: Ada's and Bob's accounts, and what has happened to them. */
export function prepare({ before = [] }: Scenario): Promise<Kept> {
  const key = JSON.stringify(before)
  const made = scenes.get(key) ?? make(before)
  scenes.set(key, made)
  return made
}

async function make(before: readonly Act[]): Promise<Kept> {
  const world = new World(null)
  for (const [id, email] of Object.entries({ ada: mailboxes.old, bob: mailboxes.bob })) {
    const now = new Date(world.clock)
    const account = { id, email: openable(email), name: null, language: null, passwordHash, isAdmin: false }
    const item = toItem({ ...account, isVerified: true, tokenVersion: 0, createdAt: now }, now)
    place(world.tables, item)
  }
  let kept = world.keep()
  for (const [i, act] of before.entries()) {
    const next = new World(kept)
    await perform(next, atOnce, { by: 'owner', act, number: 200 + i })
    await deliver(next)
    kept = next.keep()
  }
  const file = kept.items.find(([key]) => key === 'Accounts account#ada')?.[1] as unknown as AccountItem
  return { ...kept, secrets: { ...kept.secrets, copies: { file } } }
}

async function perform(
  world: World,
  step: Step,
  { by, act, number }: { by: Actor; act: Act; number: number },
  isFaulty = () => false,
): Promise<void> {
  const name = `${by}: ${act} ${number}`
  const [what = '', to = 'old'] = act.split('-') as [string, Mailbox?]
  const deps = world.deps(step, name, number)
  await acts[what as keyof typeof acts]({
    world,
    deps,
    step,
    name,
    to,
    number,
    isFaulty,
    deliver: () => deliver(world, false),
  })
}

/** The worker delivers what is on the queue, at once. @param isLate whether no write may come any more */
async function deliver(world: World, isLate = true): Promise<void> {
  for (const message of [...world.queue]) {
    const deps = world.deps(atOnce, `worker ${message.token}`, 90, message)
    const now = isLate ? deps.now : () => new Date(world.clock)
    const outcome = await deliverMail({ ...deps, now }, message, new Date(world.clock))
    if (outcome !== 'early') world.takeOff(message)
  }
}

/** Performs acts one after the other, by the owner. */
export async function rehearse(script: readonly Act[]): Promise<void> {
  const world = new World(await prepare({ scripts: {} }))
  for (const [i, act] of script.entries()) {
    await perform(world, atOnce, { by: 'owner', act, number: i + 1 }).catch(onlyRefused)
    await deliver(world)
  }
}

/** Everybody who acts in a scenario, and the laws. */
export class AccountSystem implements System {
  readonly #scenario: Scenario
  readonly #world: World
  readonly #left: [Actor, Act[]][]
  #broken: unknown = null

  constructor(scenario: Scenario, kept: Kept, mutation?: Mutation) {
    this.#scenario = scenario
    this.#world = new World(kept, mutation, scenario.isUntold)
    this.#left = Object.entries(scenario.scripts).map(([by, script]) => [by as Actor, [...script]])
  }

  state(): string {
    return JSON.stringify([this.#world.state(), this.#left])
  }

  observe(): void {
    this.#world.observe()
  }

  check(isOver: boolean): void {
    if (this.#broken) throw this.#broken
    this.#world.check(isOver, this.#scenario.stolen)
  }

  startable(running: readonly string[]): Task[] {
    const { queue } = this.#world
    const mayAct = this.#left.filter(([by, [next]]) => next && !running.some(name => name.startsWith(`${by}:`)))
    const tasks = mayAct.map(([by, script]) => this.#act(by, script))
    const isQuiet = tasks.length + running.length === 0
    const isDelivering = running.some(name => name.startsWith('worker'))
    if (isQuiet && queue.length > 0)
      return [{ name: 'all mail arrives', run: () => this.#keepLaws(() => deliver(this.#world)) }]
    return this.#scenario.isMailed && !isDelivering ? [...tasks, ...queue.map((_, i) => this.#delivery(i))] : tasks
  }

  #act(by: Actor, script: Act[]): Task {
    const world = this.#world
    const [act = 'undo'] = script
    const name = `${by}: ${act}`
    const position = this.#scenario.scripts[by]?.length ?? 0
    const actors = Object.keys(this.#scenario.scripts)
    const number = 1 + actors.indexOf(by) * 10 + position - script.length
    return {
      name,
      knows: [world.clock, world.ada, world.mails.length],
      run: async step => {
        script.shift()
        world.clock += 1
        let isFaulty = false
        const own: Step = this.#scenario.atOnce?.includes(by)
          ? atOnce
          : (name, effect, refuse) =>
              step(
                name,
                effect,
                refuse &&
                  (() => {
                    isFaulty = true
                    return refuse()
                  }),
              )
        await this.#keepLaws(() =>
          perform(world, own, { by, act, number }, () => isFaulty).catch((error: unknown) => {
            onlyRefused(error)
            const hasWritten = world.wrote.has(`${name} ${number}`)
            invariant('a repeated write is answered as the first', isFaulty || !hasWritten)
          }),
        )
      },
    }
  }

  #delivery(i: number): Task {
    const world = this.#world
    const message = world.queue[i]
    return {
      name: `worker: ${message?.kind} ${message?.token.slice(0, 6)}`,
      knows: world.clock,
      run: step =>
        this.#keepLaws(async () => {
          if (!message) return
          const deps = world.deps(step, `worker ${i}`, 90, message)
          const now = () => new Date(world.clock)
          const outcome = await deliverMail({ ...deps, now }, message, new Date(world.clock)).catch(onlyRefused)
          if (outcome !== 'early' && outcome !== true) await step('DeleteMessage', () => world.takeOff(message))
        }),
    }
  }

  async #keepLaws(act: () => Promise<void>): Promise<void> {
    await act().catch((error: unknown) => {
      this.#broken ??= error
    })
  }
}
