/**
 * Passkeys in the browser (WebAuthn Level 3): the API's options in, the authenticator's answer out. Encoded by
 * ourselves, because `toJSON` throws with several password managers.
 */

import { bytesOf, textOf } from './base64url.ts'
import { type Answer, find, type Refusal } from './form.ts'
import { leeway, promptly, within } from './within.ts'
import { forms, type Phrase } from './words.ts'

interface Descriptor {
  type: 'public-key'
  id: string
  transports: AuthenticatorTransport[]
}

/** The API's options, with bytes in base64url. */
interface RequestOptions {
  challenge: string
  /** Milliseconds. */
  timeout: number
  rpId: string
  allowCredentials?: Descriptor[]
}
export interface CreationOptions
  extends Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> {
  challenge: string
  timeout: number
  user: { id: string; name: string; displayName: string }
  excludeCredentials: Descriptor[]
}

/** The API's form of an assertion. */
export interface Assertion {
  id: string
  response: { userHandle: string | null }
}

/** The domain of passkeys; empty without any. */
export const rpId = find('main', HTMLElement).dataset.passkeys ?? ''

const { hostname } = location
export const hasWebAuthn = 'PublicKeyCredential' in window
/** Whether passkeys work on this page. */
export const isUsable = rpId !== '' && hasWebAuthn && (hostname === rpId || hostname.endsWith(`.${rpId}`))

const withBytes = (all: readonly Descriptor[]) => all.map(one => ({ ...one, id: bytesOf(one.id) }))

/** The browser's refusal, which does not tell a cancellation, a missing passkey and a timeout apart. */
const refusal = (words: Phrase): Refusal => ({ ok: false, status: 0, wait: Number.NaN, words })

interface Turn {
  abort: AbortController
  settled?: Promise<unknown>
}

/** The pending request, of the autofill or a button: browsers allow one at a time. */
let current: Turn | null = null

/** Aborts the pending request, and begins another. */
async function takeTurn(): Promise<Turn> {
  const former = current
  const mine = { abort: new AbortController() }
  current = mine
  former?.abort.abort()
  await within(promptly, () => former?.settled).catch(() => {})
  return mine
}

function endTurn(mine: Turn): void {
  if (current === mine) current = null
}

/** Is told how to give up the gesture that is waited for; null once it is not. */
export type Asked = (giveUp: (() => void) | null) => void

/**
 * Asks for a gesture. The browser's window closes when nobody waits any more, and an answer after giving up changes
 * nothing.
 */
async function askInTurn<T>(timeout: number, asked: Asked, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const mine: Turn = await takeTurn()
  const { abort } = mine
  const { signal } = abort
  signal.throwIfAborted()
  const answer = within(timeout + leeway, () => ask(signal))
  mine.settled = answer
  const givenUp = new Promise<never>((_, fail) => {
    signal.addEventListener('abort', fail)
  })
  asked(() => abort.abort())
  try {
    return await Promise.race([answer, givenUp])
  } finally {
    asked(null)
    abort.abort()
    endTurn(mine)
  }
}

async function ask(options: RequestOptions, more: CredentialRequestOptions): Promise<Assertion> {
  const { allowCredentials, challenge, ...rest } = options
  const allowed = allowCredentials && { allowCredentials: withBytes(allowCredentials) }
  const publicKey = { ...rest, challenge: bytesOf(challenge), ...allowed }
  const made = (await navigator.credentials.get({ publicKey, ...more })) as PublicKeyCredential
  const { clientDataJSON, authenticatorData, signature, userHandle } = made.response as AuthenticatorAssertionResponse
  const id = textOf(made.rawId)
  const response = {
    clientDataJSON: textOf(clientDataJSON),
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
    userHandle: userHandle && textOf(userHandle),
  }
  return { id, rawId: id, type: 'public-key', response } as Assertion
}

/** Makes a passkey. */
export async function makePasskey(
  { challenge, user, excludeCredentials, ...rest }: CreationOptions,
  asked: Asked,
): Promise<Answer> {
  try {
    const publicKey = {
      ...rest,
      challenge: bytesOf(challenge),
      user: { ...user, id: bytesOf(user.id) },
      excludeCredentials: withBytes(excludeCredentials),
    }
    const create = (signal: AbortSignal) => navigator.credentials.create({ publicKey, signal })
    const made = (await askInTurn(rest.timeout, asked, create)) as PublicKeyCredential
    const answered = made.response as AuthenticatorAttestationResponse
    const id = textOf(made.rawId)
    const response = {
      clientDataJSON: textOf(answered.clientDataJSON),
      attestationObject: textOf(answered.attestationObject),
      transports: answered.getTransports?.() ?? null,
    }
    return { ok: true, body: { id, rawId: id, type: 'public-key', response } }
  } catch (error) {
    const isThere = (error as Error | null)?.name === 'InvalidStateError'
    return refusal(isThere ? forms.hasPasskey : forms.noPasskeyAdded)
  }
}

/** How a form uses a passkey in place of typed values. */
export interface PasskeyWay {
  /** On its button. */
  words: Phrase
  kind: string
  draw(): Promise<Answer<RequestOptions>>
}

/**
 * Has a challenge signed and sent; retries once if it has expired meanwhile.
 *
 * @param chosen an assertion from the autofill
 */
export async function usePasskey<T>(
  draw: PasskeyWay['draw'],
  send: (assertion: Assertion) => Promise<Answer<T>>,
  asked: Asked,
  chosen: Assertion | null = null,
  isAgain = false,
): Promise<Answer<T>> {
  const [signed, isLogin] = chosen ? [{ ok: true, body: chosen } as const, true] : await sign(draw, asked)
  if (!signed.ok) return signed
  const answer = await send(signed.body)
  if (answer.ok) return answer
  if (answer.code === 'invalid-passkey-challenge' && !isAgain) return usePasskey(draw, send, asked, null, true)
  // Managers delete it for good. With a login it may be another account's.
  if (answer.reason === 'unknown' && isLogin) signal('signalUnknownCredential', { credentialId: signed.body.id })
  return answer
}

async function sign(draw: PasskeyWay['draw'], asked: Asked): Promise<[Answer<Assertion>, isLogin: boolean]> {
  const drawn = await draw()
  if (!drawn.ok) return [drawn, false]
  const { timeout, allowCredentials } = drawn.body
  const made = await askInTurn(timeout, asked, signal => ask(drawn.body, { signal })).catch(() => null)
  return [made ? { ok: true, body: made } : refusal(forms.noPasskeyUsed), allowCredentials === undefined]
}

/** Milliseconds: a challenge expires after ten minutes. */
export const fresh = 9 * 60_000

/** Offers passkeys in a field's autofill, from its first focus on. Finding none is silent. */
export function offerInAutofill(
  field: HTMLInputElement,
  draw: PasskeyWay['draw'],
  use: (chosen: Assertion) => void,
): void {
  field.addEventListener('focus', () => current ?? offer())

  async function offer(): Promise<void> {
    const mine: Turn = await takeTurn()
    const { signal } = mine.abort
    const canOffer = () => PublicKeyCredential.isConditionalMediationAvailable?.()
    const isOffered = await within(promptly, canOffer).catch(() => false)
    const drawn = isOffered && !signal.aborted ? await draw() : null
    const timer = setTimeout(renew, fresh, mine)
    const asked =
      drawn?.ok && !signal.aborted ? ask(drawn.body, { mediation: 'conditional', signal }).catch(() => null) : null
    if (asked) mine.settled = asked
    const chosen = await asked
    clearTimeout(timer)
    endTurn(mine)
    if (chosen && !signal.aborted) use(chosen)
  }

  function renew(mine: Turn): void {
    if (document.hidden) document.addEventListener('visibilitychange', () => renew(mine), { once: true })
    else if (current === mine && field.isConnected) offer()
  }
}

interface Signals {
  signalUnknownCredential: { credentialId: string }
  signalAllAcceptedCredentials: { userId: string; allAcceptedCredentialIds: string[] }
  signalCurrentUserDetails: { userId: string; name: string; displayName: string }
}

/** Tells the password manager about a change (WebAuthn Level 3 §5.1.10), if the browser can. */
export function signal<Name extends keyof Signals>(name: Name, what: Signals[Name]): void {
  if (!isUsable) return
  const signals = PublicKeyCredential as unknown as Partial<Record<Name, (what: object) => Promise<void>>>
  within(promptly, () => signals[name]?.({ rpId, ...what })).catch(() => {})
}
