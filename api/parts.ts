import { type GrantOf, needsOf, rows, type SettingOf } from './needs.ts'
import type { FunctionName } from './routes.ts'

/**
 * The members of `Deps` that come with a resource, with one action on it, or with a setting: which parts of the outside world a
 * function gets follows from its row by this table alone, for the compiler and for the build.
 */
const membersWith = {
  Accounts: ['accounts'],
  'Accounts:UpdateItem': ['addresses', 'factors', 'passkeys', 'passwords', 'sessions', 'tokens'],
  AccountsByVerificationToken: ['tokens'],
  AccountsByResetToken: ['tokens'],
  AccountsByPasskeyHandle: ['passkeys'],
  Identities: ['identities'],
  Challenges: ['challenges'],
  Codes: ['counters'],
  Grants: ['grants'],
  Guesses: ['counters'],
  Mails: ['counters'],
  ProviderTokens: ['counters'],
  Requests: ['counters'],
  SetupLinks: ['counters'],
  FactorKey: ['factorKey'],
  MailIdentity: ['letterWords', 'sendMail'],
  MailQueue: ['queueMail'],
  ProviderKey: ['providerNetwork', 'providerSecrets'],
  QueuedMail: ['postponeMail'],
  SigningKey: ['signer'],
  SigningKeys: ['publicKeys'],
  OIDC_CLIENTS: ['clients'],
  PASSWORD_BLOCKLIST: ['blocklistNetwork', 'isCommonPassword'],
  SIGN_IN_PROVIDERS: ['providers'],
} as const

type Source = keyof typeof membersWith
type Member = (typeof membersWith)[Source][number]

type ResourceIn<Grant> = Grant extends `${infer R}:${string}` ? R : never

/** The members of `Deps` that a function gets, besides those of every function. */
export type MemberFor<N extends FunctionName> = (typeof membersWith)[
  | (GrantOf<N> & Source)
  | (ResourceIn<GrantOf<N>> & Source)
  | (SettingOf<N> & Source)][number]

/** The same as values, each with whether it is loaded on demand. */
export function membersFor(name: FunctionName): Map<Member, { isRare: boolean }> {
  const { may, settings } = needsOf(rows[name])
  const { rarely = [] } = rows[name]
  const granted = Object.entries(may).flatMap(([resource, actions]) => [
    resource,
    ...(actions as readonly string[]).map(action => `${resource}:${action}`),
  ])
  const sources = Object.entries(membersWith).filter(([source]) => [...granted, ...settings].includes(source))
  const isRare = (source: string) => rarely.some(resource => resource === source)
  return new Map(
    sources.flatMap(([source, members]) => members.map(member => [member, { isRare: isRare(source) }] as const)),
  )
}
