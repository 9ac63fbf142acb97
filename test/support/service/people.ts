import { randomBytes } from 'node:crypto'
import type { Account } from '../../../accounts/account/account.ts'
import { openAccount } from '../../../accounts/account/opening.ts'
import { requestEmailChange } from '../../../accounts/address/request.ts'
import { undoToken } from '../../../accounts/address/undo.ts'
import { changeOf } from '../../../accounts/change/changes.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { drawRecoveryCodes, hashRecoveryCode } from '../../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../../accounts/factor/totp.ts'
import { type MailMessage, requestMail } from '../../../accounts/mail/queue.ts'
import { type Password, toPassword } from '../../../accounts/password/password.ts'
import { issueLoginTokens } from '../../../accounts/session/opening.ts'
import type { IssuedToken } from '../../../accounts/token/access-token.ts'
import { drawToken, type TokenKind } from '../../../accounts/token/token.ts'
import { type Invitee, inviteAccount } from '../../../operations/users/invite-account.ts'
import { type HeldSession, sessionOf } from '../api/requests.ts'
import type { Harness } from './harness.ts'
import { confirmEmailChange } from './owner.ts'
import { proven } from './proven.ts'

/** The client IP address from which people register. */
export const home = '203.0.113.7'

let clients = 0

/** A client IP address without counts, for tests that are not about a client's limits. */
export function newClient(): string {
  clients += 1
  return `2001:db8:0:${clients.toString(16)}::1`
}

export const ada = { email: 'ada@example.com', password: toPassword('correct horse') } as const

/** Opens an account with the domain's own code. @returns it, and its verification token */
export async function register(harness: Harness, person: { email: string; password: string } = ada, name = 'Ada') {
  await openAccount(harness.deps, newClient(), { ...person, password: toPassword(person.password), name })
  return { account: await find(harness, person.email), token: lastMessage(harness).token }
}

/** Opens an account whose address is verified, and waits until another link may be asked for. */
export async function registerVerified(harness: Harness, person: { email: string; password: string } = ada) {
  const { account } = await register(harness, person)
  await harness.operator.verify(account, harness.deps.now())
  harness.advance(1000)
  return find(harness, person.email)
}

export async function find(harness: Harness, email: string = ada.email): Promise<Account> {
  const account = await harness.deps.accounts.findByEmail(email)
  if (account === null) throw new Error(`there is no account ${email}`)
  return account
}

/** A second factor, as its owner holds it. */
export interface HeldFactor {
  recoveryCodes: readonly string[]
  /** The app's code. @param steps from now */
  code(steps?: number): string
  /** Six digits that are no valid code now. */
  wrongCode(): string
}

/** An app with a secret. */
export function appOf({ deps }: Harness, secret: Uint8Array): Pick<HeldFactor, 'code' | 'wrongCode'> {
  const code = (steps = 0) => codeOf(secret, stepOf(deps.now()) + steps)
  const wrongCode = () =>
    ['000000', '111111', '222222', '333333'].find(each => ![-1, 0, 1].map(code).includes(each)) ?? ''
  return { code, wrongCode }
}

/** Stores a pending secret. */
export async function setUp(harness: Harness, email: string = ada.email) {
  const { factorKey, factors, now } = harness.deps
  const account = await find(harness, email)
  const secret = randomBytes(20)
  const expiresAt = new Date(now().getTime() + 15 * 60_000)
  const pending = { secret: await factorKey.encrypt(account.id, secret), expiresAt, byPasskey: false }
  await factors.storePending(account, pending, now())
  return { pending, ...appOf(harness, secret) }
}

/** Gives an account a second factor with unused codes. */
export async function protect(harness: Harness, email: string = ada.email): Promise<HeldFactor> {
  const { pending, ...app } = await setUp(harness, email)
  const recoveryCodes = drawRecoveryCodes(harness.deps)
  const factor = { secret: pending.secret, lastStep: 0, recoveryCodes: recoveryCodes.map(hashRecoveryCode) }
  const account = await find(harness, email)
  const change = { mark: drawToken(harness.deps), clients: [] }
  const now = harness.deps.now()
  const told = changeOf(account, { kind: 'factor', hash: change.mark, hasLink: true }, now)
  await harness.deps.factors.set(account, factor, change, account.factor ? null : told, now)
  return { recoveryCodes, ...app }
}

interface OpenedSession extends HeldSession {
  tokens: IssuedToken
}

/** Opens a session with the domain's own code. */
export async function openSession(
  harness: Harness,
  email: string = ada.email,
  label: string | null = null,
): Promise<OpenedSession> {
  const tokens = await issueLoginTokens(harness.deps, await proven(harness.deps, await find(harness, email)), {
    label,
  })
  return { ...sessionOf(tokens.refresh?.token), tokens }
}

export function lastMessage(harness: Harness): MailMessage {
  const last = harness.queue.at(-1)
  if (last === undefined) throw new Error('nothing was queued')
  return last.message
}

/** The newest message of a kind. */
export function messageOf(harness: Harness, kind: MailMessage['kind']): MailMessage {
  const found = harness.queue.findLast(({ message }) => message.kind === kind)
  if (found === undefined) throw new Error(`no ${kind} was queued`)
  return found.message
}

/** Requests a link, and delivers it. @returns its token */
export async function requestToken(harness: Harness, kind: TokenKind, email: string = ada.email): Promise<string> {
  await requestMail(harness.deps, newClient(), kind, email)
  await deliverMail(harness.deps, lastMessage(harness), harness.deps.now())
  return lastMessage(harness).token
}

/** Invites somebody, as operators do, and delivers the mail. @returns its token */
export async function invite(harness: Harness, invitee: Partial<Invitee> = {}): Promise<string> {
  const nothing = { name: null, roles: null, language: null }
  await inviteAccount({ ...harness.deps, table: harness.operator }, { email: ada.email, ...nothing, ...invitee })
  await deliverMail(harness.deps, lastMessage(harness), harness.deps.now())
  return lastMessage(harness).token
}

/** Requests a link to a new address, and delivers it. @returns its token */
export async function requestMove(harness: Harness, to: string, email: string = ada.email): Promise<string> {
  await requestEmailChange(harness.deps, newClient(), await find(harness, email), to)
  await deliverMail(harness.deps, lastMessage(harness), harness.deps.now())
  return lastMessage(harness).token
}

/** The token of the undo link in a notice. */
export function undoTokenOf(message: MailMessage | undefined): string {
  if (message === undefined || !('account_id' in message)) throw new Error('no notice was queued')
  return undoToken(message.token, message.account_id)
}

/** The token of the undo link in the notice that was queued last. */
export const lastUndoToken = (harness: Harness): string => undoTokenOf(lastMessage(harness))

/** Moves an account with a verified address. @returns the token of the undo link in the notice */
export async function move(
  harness: Harness,
  to: string,
  email: string = ada.email,
  password: Password = ada.password,
): Promise<string> {
  const token = await requestMove(harness, to, email)
  await confirmEmailChange(harness.deps, home, { token, password })
  return lastUndoToken(harness)
}
