import { useCallback, useEffect, useState } from 'react'

/** The account of whoever has logged in on this page, or null. `call` sends a request with their token. */
export function useAccount(api) {
  const [token, setToken] = useState('') // In memory alone: it goes with the page.
  const [account, setAccount] = useState(null)
  const send = useCallback(
    async (method, path, body, bearer = token) => {
      const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) }
      const response = await fetch(api + path, { method, headers, body: body && JSON.stringify(body) })
      const answer = await response.json()
      if (answer.access_token) setToken(answer.access_token) // A change of the password voids the old token.
      if (answer.code === 'invalid-access-token') setToken('')
      if (!response.ok) throw Object.assign(new Error(answer.detail ?? answer.message), answer)
      return answer
    },
    [api, token],
  )
  const logIn = async (email, password) => {
    const { access_token } = await send('POST', '/auth/login', { email, password })
    setAccount(await send('GET', '/auth/me', undefined, access_token))
  }
  useEffect(() => {
    if (token === '') setAccount(null)
  }, [token])
  return { account, logIn, logOut: () => setToken(''), call: send }
}
