import type { ChallengePurpose } from '../../accounts/passkey/challenge.ts'
import type { Assertion, NewCredential } from '../../accounts/passkey/shapes.ts'

/** Who logs in with what, as plain rules over everybody's credentials: no tables, no hashes, no signatures. */

interface Person {
  email: string
  /** Null while nobody knows one. */
  password: string | null
  version: number
  passkeys: readonly Held[]
  isLocked: boolean
  hasApp: boolean
}

export interface State {
  people: Person[]
  isRequired: boolean
  /** The used challenges and links. */
  spent: Set<string>
  /** Void undo links, by person: those of changes since a time, until another, and perhaps only those of one mailbox. */
  undone: { person: number; since: number; until: number; email?: string }[]
}

export interface Challenge {
  text: string
  purpose: ChallengePurpose
  /** Null at a login. */
  person: number | null
  expiresAt: number
}

/** A passkey, wherever it is registered, or was. */
export interface Held {
  id: string
  person: number
  /** When it was added. */
  at: number
}

/** The mail when a passkey is added, or when an account moves. */
export interface UndoLink {
  token: string
  person: number
  email: string
  /** When the change was requested. */
  at: number
  isPasskey: boolean
}

export interface AccessToken {
  text: string
  person: number
  version: number
  expiresAt: number
  isTwoFactor: boolean
}

interface Typed {
  password: string
  hasCode: boolean
}
export interface Asserted {
  challenge: Challenge
  passkey: Held
  assertion: Assertion
}
export type GivenProof = Typed | Asserted
type Bearer = { token: AccessToken }

/** A request, with its sender's credentials. */
export type Request =
  | ({ do: 'log in'; person: number } & Typed)
  | ({ do: 'enter' } & Asserted)
  | ({ do: 'set up'; proof: GivenProof } & Bearer)
  | ({ do: 'confirm'; challenge: Challenge; passkey: Held; credential: NewCredential } & Bearer)
  | ({ do: 'remove'; proof: GivenProof; passkey: Held } & Bearer)
  | ({ do: 'change'; proof: GivenProof; to: string } & Bearer)
  | { do: 'reset'; person: number; keeps: boolean; to: string; link: string; askedAt: number }
  | { do: 'undo'; link: UndoLink }
  | { do: 'move'; person: number; proof: Typed; to: string; link: string }
  | { do: 'revoke' | 'removePasskeys' | 'lock' | 'unlock' | 'signOut' | 'set up an app'; person: number }
  | { do: 'require a second factor' }

export const copyOf = ({ people, spent, undone, ...state }: State): State => ({
  ...state,
  people: people.map(person => ({ ...person })),
  spent: new Set(spent),
  undone: [...undone],
})

export const purposes = { 'set up': 'passkeys/setup', remove: 'passkeys/remove', change: 'change-password' } as const

/** Whether only a passkey gives access. */
const needsPasskey = ({ isRequired }: State, { hasApp, passkeys }: Person): boolean =>
  isRequired && !hasApp && passkeys.length > 0

/**
 * Performs a request, if allowed.
 *
 * @param at after all earlier requests, in milliseconds
 * @returns the refusal, after which nothing has changed; null for success
 */
export function answer(state: State, request: Request, at: number): string | null {
  const refusal = refusalOf(state, request, at)
  if (refusal === null) change(state, request, at)
  return refusal
}

function refusalOf(state: State, request: Request, at: number): string | null {
  if (request.do === 'log in') return refusalOfLogin(state, request)
  if (request.do === 'enter') {
    const person = state.people[request.passkey.person] as Person
    return refusalOfPasskey(state, person, request, 'login', null, at) ?? (person.isLocked ? 'account-locked' : null)
  }
  if (request.do === 'undo') {
    const { person, email, at: time } = request.link
    const isVoid = state.undone.some(
      each => each.person === person && each.since <= time && time <= each.until && (each.email ?? email) === email,
    )
    return isVoid ? 'invalid-undo-token' : null
  }
  if (request.do === 'reset') return state.spent.has(request.link) ? 'invalid-reset-token' : null
  if (request.do === 'move') {
    if (state.spent.has(request.link)) return 'invalid-email-change-token'
    const person = state.people[request.person] as Person
    if (person.isLocked && request.proof.password === person.password) return 'account-locked'
    return refusalOfPassword(state, person, request.proof)
  }
  return 'token' in request ? refusalOfBearer(state, request, at) : null
}

/** A password login has the same requirements, whatever passkeys there are, unless everybody must have a second factor. */
function refusalOfLogin(state: State, { person: index, password, hasCode }: Extract<Request, { do: 'log in' }>) {
  const person = state.people[index] as Person
  if (password !== person.password) return 'bad-credentials'
  if (person.isLocked) return 'account-locked'
  if (state.isRequired && !person.hasApp) return person.passkeys.length > 0 ? 'passkey-required' : 'second-factor-setup'
  return person.hasApp && !hasCode ? 'second-factor-required' : null
}

function refusalOfPassword(state: State, person: Person, { password, hasCode }: Typed) {
  if (person.password === null) return 'no-password'
  if (password !== person.password) return 'wrong-password'
  if (needsPasskey(state, person)) return 'passkey-required'
  return person.hasApp && !hasCode ? 'second-factor-required' : null
}

/** An assertion works once, for one purpose and account. */
function refusalOfPasskey(
  { spent }: State,
  { passkeys }: Person,
  { challenge, passkey }: { challenge: Challenge; passkey: Held },
  purpose: ChallengePurpose,
  person: number | null,
  at: number,
): string | null {
  const isGood = challenge.purpose === purpose && challenge.person === person && challenge.expiresAt > at
  if (!isGood || spent.has(challenge.text)) return 'invalid-passkey-challenge'
  return passkeys.some(({ id }) => id === passkey.id) ? null : 'wrong-passkey'
}

function refusalOfBearer(state: State, request: Extract<Request, Bearer>, at: number): string | null {
  const { token } = request
  const person = state.people[token.person] as Person
  const isInForce = token.version === person.version && !person.isLocked && token.expiresAt > at
  if (!isInForce || (state.isRequired && !token.isTwoFactor)) return 'invalid-access-token'
  if (request.do === 'confirm') {
    // It is on the account then.
    const added = { ...person, passkeys: [request.passkey] }
    return refusalOfPasskey(state, added, request, 'passkeys/confirm', token.person, at)
  }
  const isThere = request.do === 'remove' && person.passkeys.some(({ id }) => id === request.passkey.id)
  if (request.do === 'remove' && !isThere) return 'no-passkey'
  const { proof } = request
  const refusal =
    'password' in proof
      ? refusalOfPassword(state, person, proof)
      : refusalOfPasskey(state, person, proof, purposes[request.do], token.person, at)
  const isLast = isThere && person.passkeys.length === 1 && needsPasskey(state, person)
  return refusal ?? (isLast ? 'second-factor-required-here' : null)
}

function change(state: State, request: Request, at: number): void {
  if ('challenge' in request) state.spent.add(request.challenge.text)
  if ('proof' in request && 'challenge' in request.proof) state.spent.add(request.proof.challenge.text)
  if (request.do === 'reset' || request.do === 'move') state.spent.add(request.link)
  if (request.do === 'require a second factor') state.isRequired = true
  else if (request.do === 'undo') undo(state, request.link, at)
  else if ('token' in request) changeOwn(state.people[request.token.person] as Person, request)
  else if ('person' in request) changeOf(state, state.people[request.person] as Person, request, at)
}

function changeOwn(person: Person, request: Extract<Request, Bearer>): void {
  if (request.do === 'confirm') person.passkeys = [...person.passkeys, request.passkey]
  if (request.do === 'remove') person.passkeys = person.passkeys.filter(({ id }) => id !== request.passkey.id)
  if (request.do === 'change') person.password = request.to
  if (request.do === 'remove' || request.do === 'change') person.version += 1
}

/** Ends the undo links that were mailed to somebody's address. */
function voidLinks(state: State, person: number, until: number): void {
  const { email } = state.people[person] as Person
  state.undone.push({ person, since: 0, until, email })
}

function changeOf(state: State, person: Person, request: Extract<Request, { person: number }>, at: number): void {
  if (request.do === 'log in') return
  if (request.do === 'reset') {
    if (!request.keeps && !needsPasskey(state, person)) person.passkeys = []
    person.password = request.to
    // Who keeps what the mail listed ends the links that it listed.
    voidLinks(state, request.person, request.keeps ? request.askedAt - 1 : at)
  }
  if (request.do === 'revoke') voidLinks(state, request.person, at)
  if (request.do === 'revoke' || request.do === 'removePasskeys') person.passkeys = []
  if (request.do === 'revoke') person.password = null
  if (request.do === 'move') person.email = request.to
  if (request.do === 'set up an app') person.hasApp = true
  if (request.do === 'lock' || request.do === 'unlock') person.isLocked = request.do === 'lock'
  if (request.do !== 'unlock') person.version += 1
}

/** No passkeys stay, except those that are the account's only guard: for an added one's link, the older ones. */
function undo(state: State, link: UndoLink, at: number): void {
  const person = state.people[link.person] as Person
  const staying = person.passkeys.filter(passkey => !link.isPasskey || passkey.at < link.at)
  const passkeys = needsPasskey(state, person) ? staying : []
  // An app was set up later than what a mailbox can undo. Where everybody must have one, no mailbox removes it.
  const hasApp = person.hasApp && person.email === link.email && state.isRequired
  Object.assign(person, { email: link.email, password: null, passkeys, hasApp, version: person.version + 1 })
  state.undone.push({ person: link.person, since: link.at, until: at })
}
