import { proofMembers } from '../../../accounts/identity/shapes.ts'
import type { TokenKind } from '../../../accounts/token/token.ts'
import { needsOf, rows } from '../../../api/needs.ts'
import { memberExamples } from '../../../api/openapi/meanings.ts'
import type { FunctionName } from '../../../api/routes.ts'
import { shopQuery } from '../clients.ts'
import { membersOf, takesPassword } from './rows.ts'

/**
 * Bodies by the names of their members, which mean the same on every endpoint. Members not listed here get their
 * example, or a meaningless text.
 */

/** A session, as its owner sees it. */
export interface HeldSession {
  id: string
  refreshToken: string
}

/** The session that a refresh token belongs to: its second part after the prefix. */
export const sessionOf = (refreshToken = ''): HeldSession => ({ id: refreshToken.split('.')[2] ?? '', refreshToken })

/** The purpose of a mailed token. */
export type MailedToken = TokenKind | 'email-change' | 'undo' | 'invitation'

/** A person who has an account. */
export interface Sender {
  email: string
  password: string
  /** An address without an account. */
  newEmail: string
  /** A token that was mailed to them. */
  token(kind: MailedToken): string | Promise<string>
  /** A session of theirs. */
  session(): HeldSession | Promise<HeldSession>
  /** A code of the second factor, where the endpoint needs one. */
  code?: string
  /** The id of a passkey of theirs, where the endpoint is about one. */
  passkey?: string
  /** The token of a provider's confirmation, if the endpoint takes one. */
  providerToken?: () => string | Promise<string>
  /** The key of an identity of theirs, where the endpoint is about one. */
  identity?: string
  /** An assertion of their passkey, if the endpoint takes nothing else. */
  assertion?: () => unknown
  /** A passkey that was made with the options of a setup. */
  credential?: () => unknown
  /** The query of a page for `sample`, unless another application sends them. */
  request?: (name: FunctionName) => string | Promise<string>
}

type Body = Record<string, unknown>

/** A body that the endpoint answers with success; undefined where its row has none. */
export async function goodBody(name: FunctionName, sender: Sender): Promise<Body | undefined> {
  const body: Body = {}
  const members = membersOf(name).filter(member => !isReplaced(name, member) && !isOptional(name, member))
  for (const member of members) body[member] = await goodValue(name, member, sender)
  return membersOf(name).length > 0 ? body : undefined
}

/** Whether another member replaces it: typed ones, or the token of a provider's confirmation. */
const isReplaced = (name: FunctionName, member: string): boolean =>
  rows[name].withProviders
    ? (proofMembers as readonly string[]).includes(member) && member !== 'provider_token'
    : takesPassword(name) && [...proofMembers, 'assertion'].includes(member)

/** With a provider, people type nothing but a code. */
const isOptional = (name: FunctionName, member: string): boolean =>
  Boolean(rows[name].withProviders) && ['email', 'password'].includes(member)

/** A body of the right shape that has no effect: an unknown address, a wrong password, an unknown token. */
export function fruitlessBody(name: FunctionName): Body {
  const members = membersOf(name).filter(member => !isReplaced(name, member))
  return Object.fromEntries(members.map(member => [member, fruitlessValue(member)]))
}

/** The body with an assertion in place of typed members. */
export function asserted(body: unknown, assertion: unknown): Body {
  const { email, password, current_password, code, ...rest } = body as Body
  return { ...rest, assertion }
}

async function goodValue(name: FunctionName, member: string, sender: Sender): Promise<unknown> {
  switch (member) {
    case 'email':
      // An endpoint that answers 201 needs an address without an account.
      return rows[name].reply?.[0] === 201 ? sender.newEmail : sender.email
    case 'password':
    case 'current_password':
      return sender.password
    case 'name':
      return 'Countess'
    case 'token':
      return sender.token(tokenOf(name))
    case 'new_email':
      return sender.newEmail
    case 'id':
      return sender.passkey ?? sender.identity ?? (await sender.session()).id
    case 'assertion':
      return sender.assertion?.() ?? memberExamples.assertion
    case 'provider_token':
      return sender.providerToken?.() ?? 'x'
    case 'credential':
      return sender.credential?.() ?? memberExamples.credential
    case 'code':
      return sender.code ?? memberExamples.code
    case 'refresh_token':
      return (await sender.session()).refreshToken
    case 'request':
      return sender.request?.(name) ?? memberExamples.request
    case 'stay':
    case 'confirmed':
      return true
    default:
      return memberExamples[member as keyof typeof memberExamples]
  }
}

/** The token of an endpoint's link. Only links that move accounts lead addresses to others. */
export function tokenOf(name: FunctionName): MailedToken {
  if (rows[name].refuses?.includes('invalid-invitation')) return 'invitation'
  const { may } = needsOf(rows[name])
  const isByLink = 'AccountsByVerificationToken' in may
  if ('Addresses' in may) return isByLink ? 'email-change' : 'undo'
  return isByLink ? 'verification' : 'reset'
}

function fruitlessValue(member: string): unknown {
  switch (member) {
    case 'email':
      return 'nobody@example.com'
    case 'password':
    case 'current_password':
      return 'wrong'
    case 'new_password':
      return 'battery staple'
    case 'new_email':
      return 'nobody@example.com'
    case 'name':
    case 'language':
      return null
    case 'session':
      return {}
    case 'request':
      return shopQuery()
    case 'stay':
    case 'confirmed':
    case 'keep_other_logins':
    case 'others':
      return false
    case 'for':
    case 'assertion':
    case 'credential':
      return memberExamples[member]
    default:
      return 'x'
  }
}
