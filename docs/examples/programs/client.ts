import createClient from 'openapi-fetch'
import type { components, paths } from './gatehouse.js'

interface Person {
  /** Shows the login form, and gives what was typed. */
  askLogin(): Promise<components['schemas']['UserLogin']>
  /** Says that the request goes out again after so many seconds: the API has answered 429. */
  sayWait(seconds: number): void
}

/** A client of every endpoint. */
export function connect(baseUrl: string, { askLogin, sayWait }: Person) {
  let token = '' // In memory alone: it goes with the page.
  let login: Promise<{ error?: unknown }> | undefined
  const api = createClient<paths>({ baseUrl, fetch: request => send(request, 3) })

  async function send(request: Request, tries: number): Promise<Response> {
    const again = request.clone()
    const isLogin = /\/auth\/(login|provider-login|passkeys\/login)$/.test(request.url)
    const renews =
      /\/auth\/(change-password|disconnect-provider|passkeys\/remove|second-factor\/(confirm|remove))$/.test(
        request.url,
      )
    const used = isLogin ? '' : token
    if (used) request.headers.set('authorization', `Bearer ${used}`)
    const response = await fetch(request)
    if (response.ok && (isLogin || renews)) token = (await response.clone().json()).access_token
    if (response.status === 429) {
      const seconds = Number(response.headers.get('retry-after') ?? 1)
      if (seconds > 60 || tries === 1) return response
      sayWait(seconds)
      await new Promise(resolve => setTimeout(resolve, seconds * 1000))
    } else {
      if (response.status !== 401 || !used || tries === 1) return response
      if (used === token)
        login ??= askLogin()
          .then(body => api.POST('/auth/login', { body }))
          .finally(() => (login = undefined))
      if ((await login)?.error) return response
    }
    return send(again, tries - 1)
  }
  return api
}
