import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { listenToConsole, openSite, type Site } from '../support.ts'

export type Answered = [status: number, body: object, wait?: number] | null

const token = { access_token: 'secret-access-token', token_type: 'bearer', expires_in: 3600 }
/** A passkey in the API's form. */
export const passkey = {
  id: 'cGFzc2tleQ',
  label: 'Laptop',
  created_at: '2026-03-01T12:00:00.000Z',
  last_used_at: '2026-03-02T00:00:00.000Z',
  is_synced: true,
}
export const passkeys = (...all: object[]): [status: number, body: object] => [
  200,
  { rp_id: 'localhost', user_handle: 'aGFuZGxl', passkeys: all },
]
const codes = Array<string>(10).fill('ABCD-EFGH-IJKL-MNOP-QRST-UVWX')
const secret = 'A'.repeat(32)

/** The account page, with an API whose answers a test sets. */
export function setUpAnswers(openPage: (options?: BrowserContextOptions) => Promise<Page>) {
  let site: Site
  let page: Page | undefined
  let complaints: string[] = []
  /** By path: a status, a body, and seconds to wait. Null: no answer. */
  let answers: Record<string, Answered> = {}
  let sent: { path: string; body: unknown }[] = []

  async function begin(): Promise<void> {
    site = await openSite()
    sent = []
    const at = '2026-03-01T12:00:00.000Z'
    const session = { created_at: at, last_used_at: at, expires_at: at }
    answers = {
      '/auth/login': [200, { ...token, refresh_token: 'ghr2.YQ.session-a.1.secret-a.mac' }],
      '/auth/change-email': [200, {}],
      '/auth/resend-verification': [200, {}],
      '/auth/passkeys': passkeys(),
      '/auth/sign-in-methods': [200, { has_password: true, providers: [] }],
      '/auth/second-factor': [200, { methods: [], recovery_codes_left: 0 }],
      '/auth/second-factor/setup': [200, { secret, uri: `otpauth://totp/Acme?secret=${secret}` }],
      '/auth/second-factor/confirm': [200, { ...token, recovery_codes: codes }],
      '/auth/sessions': [
        200,
        {
          sessions: [
            { ...session, id: 'a', label: 'Laptop', is_current: true },
            { ...session, id: 'b', label: 'Phone', is_current: false },
          ],
        },
      ],
    }
  }

  async function end(): Promise<void> {
    expect(complaints).toEqual([])
    await page?.close()
    await site.close()
  }

  function answer(request: Request): Answered {
    const path = new URL(request.url()).pathname
    sent.push({ path, body: request.postDataJSON() })
    return answers[path] === undefined ? [404, { code: 'not-found' }] : answers[path]
  }

  async function visit(fragment: string, path = '/account', options: BrowserContextOptions = {}): Promise<void> {
    page = await openPage(options)
    complaints = await listenToConsole(page)
    await page.route('**/auth/**', async route => {
      const found = answer(route.request())
      if (found === null) return route.abort()
      const [status, body, wait] = found
      await route.fulfill({ status, json: body, headers: wait === undefined ? {} : { 'retry-after': String(wait) } })
    })
    // Passkeys work at names alone.
    const at = site.config.passkeyRpId === null ? site.url : site.url.replace('127.0.0.1', 'localhost')
    await page.goto(`${at}${path}${fragment}`)
    await page.waitForSelector('h1:visible')
  }

  /** Passkeys work, and the account has one. */
  function havePasskey(): void {
    site.config.passkeyRpId = 'localhost'
    answers['/auth/passkeys'] = passkeys(passkey)
  }

  return { begin, end, visit, havePasskey, site: () => site, answers: () => answers, sent: () => sent }
}
