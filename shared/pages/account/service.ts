/**
 * Calls the API for the logged-in person. The access token is only in a variable. A session's refresh token is in
 * `sessionStorage`, for reloads, and the tab holds a lock of the session's name. A duplicated tab has a copy of the
 * token but finds the lock taken. It must not use its copy, which would look like theft and end the session.
 */

import { type Answer, type Refusal, send } from '../form.ts'
import { promptly, within } from '../within.ts'

interface Tokens {
  access_token: string
  expires_in: number
  refresh_token?: string
}

/** The only thing that is stored. */
const key = 'refresh-token'

let access = { token: '', until: 0 }
let refreshToken: string | null = null
let letGo: (() => void) | null = null
/** Login generation; responses from an older one are dropped. */
let logins = 0
let onEnd = (): void => {}
/** Requests run one after another, so that none uses a token that another is replacing. */
let last: Promise<unknown> = Promise.resolve()

/** Whether a session can be kept: only pages from https and localhost have locks. */
export const canStay = (): boolean => 'locks' in navigator

export const isSession = (): boolean => refreshToken !== null

/** @param act called when the access token stops working and cannot be renewed */
export function whenEnded(act: () => void): void {
  onEnd = act
}

/** Logs in. @param label the session's name; null for no session */
export async function logIn(sent: object, label: string | null): Promise<Answer> {
  const isAtProvider = 'provider' in sent || 'provider_token' in sent
  const path = isAtProvider ? '/auth/provider-login' : 'assertion' in sent ? '/auth/passkeys/login' : '/auth/login'
  const answer = await send<Tokens>('POST', path, { ...sent, ...(label !== null && { session: { label, tab: true } }) })
  if (answer.ok) {
    // Of a person who has just connected a provider: the new one replaces it.
    const former = refreshToken
    forget()
    await keep(answer.body)
    if (former !== null) send('POST', '/auth/logout', { refresh_token: former })
  }
  return answer
}

/**
 * Resumes the tab's session after a reload.
 *
 * @returns `none` without a session, `copied` when another tab has it, else the answer to the refresh
 */
export async function resume(): Promise<'none' | 'copied' | Answer> {
  const kept = readStored()
  if (!kept) return 'none'
  // A retry after an unanswered refresh already has the lock: a second request for it would wait for the first.
  if (letGo === null && !(await hold(kept))) {
    store(null)
    return 'copied'
  }
  refreshToken = kept
  return refresh()
}

/** Sends a request with an unexpired access token. */
export function call<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
  const mine = logins
  const answer = last.then(() => (mine === logins ? sendAuthorized<T>(method, path, body) : over))
  last = answer
  return answer
}

const over: Refusal = { ok: false, status: 401, wait: Number.NaN, isEnded: true }

async function sendAuthorized<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
  if (refreshToken !== null && Date.now() >= access.until) {
    const answer = await refresh()
    if (!answer.ok) return answer
  }
  const mine = logins
  const ask = () => send<T & Partial<Tokens>>(method, path, body, access.token)
  let answer = await ask()
  if (mine !== logins) return over
  if (isRejected(answer) && refreshToken !== null) {
    const refreshed = await refresh()
    if (!refreshed.ok) return refreshed
    answer = await ask()
    if (mine !== logins) return over
  }
  if (isRejected(answer)) return end(answer)
  // A change of the password, for example, answers with new tokens.
  if (answer.ok && answer.body?.access_token !== undefined) await keep(answer.body as T & Tokens)
  return answer
}

/** Whether the access token is refused; a wrong password is 400. */
const isRejected = (answer: Answer): answer is Refusal => !answer.ok && answer.status === 401

async function refresh(): Promise<Answer> {
  const mine = logins
  const answer = await send<Tokens>('POST', '/auth/refresh', { refresh_token: refreshToken })
  if (mine !== logins) return over
  if (answer.ok) await keep(answer.body)
  // After 429, 5xx or no answer the token works again, even if its successor was lost.
  else if (answer.status === 400 || answer.status === 403) return end(answer)
  return answer
}

/** Logs out. @returns whether the service knows; only a session needs to be ended there */
export async function logOut(): Promise<boolean> {
  const ended = refreshToken
  forget()
  return ended === null || (await send('POST', '/auth/logout', { refresh_token: ended })).ok
}

function end(answer: Refusal): Refusal {
  forget()
  onEnd()
  return { ...answer, isEnded: true }
}

/** Forgets all tokens. */
export function forget(): void {
  logins++
  last = Promise.resolve()
  access = { token: '', until: 0 }
  refreshToken = null
  store(null)
  letGo?.()
  letGo = null
}

async function keep({ access_token, expires_in, refresh_token }: Tokens): Promise<void> {
  // A little early, so that no request meets the expiry. Without a session it is used until refused.
  access = { token: access_token, until: Date.now() + expires_in * 900 }
  if (refresh_token === undefined) return
  const mine = logins
  if (letGo === null) await hold(refresh_token)
  if (mine !== logins) return
  refreshToken = refresh_token
  store(refresh_token)
}

/**
 * Takes the lock of a token's session, until `forget` or the end of the page. A reloaded page has released its own.
 *
 * @returns whether it was free
 */
function hold(token: string): Promise<boolean> {
  const mine = logins
  const [, , session] = token.split('.')
  const abort = new AbortController()
  const { signal } = abort
  const held = () =>
    new Promise<true>((resolve, fail) => {
      const take = () => {
        if (signal.aborted || mine !== logins) return
        resolve(true)
        return new Promise<void>(end => {
          letGo = end
        })
      }
      navigator.locks.request(`session ${session}`, { signal }, take).then(fail, fail)
    })
  return within(promptly, held).catch(() => {
    abort.abort()
    return false
  })
}

/** Browsers can forbid storage. */
function readStored(): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

function store(token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, token)
  } catch {
    // A reload then logs out.
  }
}
