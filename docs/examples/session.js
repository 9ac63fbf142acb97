/** What voids the tokens, and answers with new ones. */
export const renewing = new Set([
  '/auth/change-password',
  '/auth/disconnect-provider',
  '/auth/passkeys/remove',
  '/auth/second-factor/confirm',
  '/auth/second-factor/remove',
])

/** Milliseconds; API Gateway itself gives up after 30 s. Another tab that holds the lock has its answer by then, too. */
const timeout = 35_000

/**
 * Keeps people logged in. All tabs of a browser share one session: one of them refreshes at a time, with the token that it
 * reads just before it sends it.
 *
 * @param api the API's address
 * @param store where the refresh token is kept: localStorage, or sessionStorage to end with the tab
 * @param onEnd shows the login form
 */
export function keepSession(api, { store = localStorage, locks = navigator.locks, onEnd, fetch = globalThis.fetch }) {
  const name = 'gatehouse-refresh-token'
  let access = { token: '', until: 0 } // In memory alone.
  let refreshing = null

  const send = (method, path, body) =>
    fetch(api + path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(access.token && { authorization: `Bearer ${access.token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeout),
    })

  // Extensions put functions of their own in the place of the browser's: a lock that nobody gets must not stop the page for good.
  const inTurn = act =>
    new Promise((resolve, reject) => {
      const waiting = new AbortController()
      const timer = setTimeout(() => {
        waiting.abort()
        reject(new Error('the lock of the session is not free'))
      }, timeout)
      const take = () => {
        if (waiting.signal.aborted) return
        clearTimeout(timer)
        return act().then(resolve, reject)
      }
      locks.request(name, { signal: waiting.signal }, take).catch(reject)
    })

  function keep({ access_token, expires_in, refresh_token }) {
    // A little early, so that no request meets the end.
    access = { token: access_token, until: Date.now() + expires_in * 900 }
    if (refresh_token) store.setItem(name, refresh_token)
  }

  function end() {
    store.removeItem(name)
    access = { token: '', until: 0 }
    onEnd()
    return false
  }

  /**
   * Parallel requests share one refresh; other tabs wait for the lock, and then read the newest token.
   *
   * @returns whether there is a new access token
   */
  const refresh = () => {
    refreshing ??= inTurn(async () => {
      const refresh_token = store.getItem(name)
      if (!refresh_token) return end()
      const response = await send('POST', '/auth/refresh', { refresh_token })
      // Logged out, or logged in again, meanwhile.
      if (store.getItem(name) !== refresh_token) return access.token !== ''
      if (response.ok) {
        keep(await response.json())
        return true
      }
      // After 429, 5xx or no answer the token is kept: it works again, even if its successor was lost.
      if (response.status === 429 || response.status >= 500) throw new Error(`not refreshed: ${response.status}`)
      return end()
    }).finally(() => {
      refreshing = null
    })
    return refreshing
  }

  return {
    /** @param credentials `email` and `password`, and `code` once the API asks for one @returns the API's answer, a Response */
    async logIn({ label = null, ...credentials }) {
      access = { token: '', until: 0 }
      const response = await send('POST', '/auth/login', { ...credentials, session: { label } })
      if (response.ok) {
        // Without sessions the answer has no refresh token, and the one of the person before must not stay.
        store.removeItem(name)
        keep(await response.clone().json())
      }
      return response
    },
    /** Sends a request with an access token that has not expired. @returns the API's answer, a Response */
    async call(method, path, body) {
      const isOpen = Date.now() < access.until || (await refresh())
      const ask = async () => {
        const response = await send(method, path, body)
        if (renewing.has(path) && response.ok) keep(await response.clone().json())
        return response
      }
      // Nobody refreshes while the secret of the session changes.
      const askAlone = () => (renewing.has(path) ? inTurn(ask) : ask())
      const response = await askAlone()
      return response.status === 401 && isOpen && (await refresh()) ? askAlone() : response
    },
    /** Ends it here at once, and at the API, where it can be reached. */
    async logOut() {
      const refresh_token = store.getItem(name)
      end()
      if (refresh_token) await send('POST', '/auth/logout', { refresh_token })
    },
  }
}
