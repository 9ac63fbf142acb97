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
    })

  function keep({ access_token, expires_in, refresh_token }) {
    // A little early, so that no request meets the end.
    access = { token: access_token, until: Date.now() + expires_in * 900 }
    if (refresh_token) store.setItem(name, refresh_token)
  }

  /** Parallel requests share one refresh; other tabs wait for the lock, and then read the newest token. */
  const refresh = () => {
    refreshing ??= locks
      .request(name, async () => {
        const refresh_token = store.getItem(name)
        if (!refresh_token) return onEnd()
        const response = await send('POST', '/auth/refresh', { refresh_token })
        if (response.ok) return keep(await response.json())
        // After 429, 5xx or no answer the token is kept: it works again, even if its successor was lost.
        if (response.status === 429 || response.status >= 500) throw new Error(`not refreshed: ${response.status}`)
        store.removeItem(name)
        onEnd()
      })
      .finally(() => {
        refreshing = null
      })
    return refreshing
  }

  return {
    /** @returns the API's answer, a Response */
    async logIn(email, password, label = null) {
      access = { token: '', until: 0 }
      const response = await send('POST', '/auth/login', { email, password, session: { label } })
      if (response.ok) keep(await response.clone().json())
      return response
    },
    /** Sends a request with an access token that has not expired. @returns the API's answer, a Response */
    async call(method, path, body) {
      if (Date.now() >= access.until) await refresh()
      const changes = path === '/auth/change-password'
      const ask = async () => {
        const response = await send(method, path, body)
        if (changes && response.ok) keep(await response.clone().json())
        return response
      }
      // Nobody refreshes while the secret of the session changes.
      const response = await (changes ? locks.request(name, ask) : ask())
      if (response.status !== 401) return response
      await refresh()
      return ask()
    },
    async logOut() {
      const refresh_token = store.getItem(name)
      store.removeItem(name)
      access = { token: '', until: 0 }
      if (refresh_token) await send('POST', '/auth/logout', { refresh_token })
      onEnd()
    },
  }
}
