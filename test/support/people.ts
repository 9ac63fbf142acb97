import type { Account } from '../../shared/accounts/account.ts'
import { deliverMail } from '../../shared/accounts/mail.ts'
import { type MailMessage, requestMail } from '../../shared/accounts/mail-queue.ts'
import type { TokenKind } from '../../shared/accounts/one-time-token.ts'
import { openAccount } from '../../shared/accounts/registration.ts'
import type { World } from './world.ts'

export const ada = { email: 'ada@example.com', password: 'correct horse' } as const

/** Opens an account by the domain's own means. @returns it, and its verification token */
export async function register(world: World, person: { email: string; password: string } = ada, name = 'Ada') {
  await openAccount(world.deps, { ...person, name })
  return { account: await find(world, person.email), token: lastMessage(world).token }
}

export async function find(world: World, email: string = ada.email): Promise<Account> {
  const account = await world.deps.accounts.find(email)
  if (account === null) throw new Error(`there is no account ${email}`)
  return account
}

export function lastMessage(world: World): MailMessage {
  const last = world.queue.at(-1)
  if (last === undefined) throw new Error('nothing was queued')
  return last.message
}

/** Asks for a link and has the worker handle it. @returns the token in it */
export async function requestToken(world: World, kind: TokenKind, email: string = ada.email): Promise<string> {
  await requestMail(world.deps, kind, email)
  await deliverMail(world.deps, lastMessage(world), world.deps.now())
  return lastMessage(world).token
}
