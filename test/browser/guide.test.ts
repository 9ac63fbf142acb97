import { beforeEach, expect, test } from 'vitest'
import { blocks } from '../integrate/programs.ts'
import { linkIn, runSystem } from '../support/system/running.ts'
import { setUpBrowser } from './browser.ts'

/** The browser code of docs/integrate.md, unchanged, with Chromium's virtual authenticator. */

const { page, openPage } = setUpBrowser()
const running = runSystem({ PASSKEY_RP_ID: 'localhost', MAIL_FROM: 'no-reply@localhost' })
const ada = { email: 'ada@example.com', password: 'correct horse' }

const lines = blocks.find(({ text }) => text.startsWith('// passkey-login.js\n'))?.text

/** Runs code in the page, at its own origin. */
const run = (code: string): Promise<unknown> => page().evaluate(`(async () => { const api = ''\n${code} })()`)

beforeEach(async () => {
  await openPage()
})

test('a page adds a passkey as the reference says, and logs in by three lines', async () => {
  const { baseUrl } = running.system
  await running.send('POST', '/auth/register', ada)
  const token = linkIn(await running.nextMail(ada.email)).searchParams.get('token')
  await running.send('POST', '/auth/verify-email', { token })
  const { access_token: access } = (await running.send('POST', '/auth/login', ada)).body

  await page().goto(`${baseUrl}/verify-email`)
  const devtools = await page().context().newCDPSession(page())
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, isUserVerified: true } })

  const added = await run(`
    const headers = { 'content-type': 'application/json', authorization: 'Bearer ${access}' }
    const post = async (path, body) => (await fetch('/auth/passkeys/' + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
    const options = await post('setup', { password: '${ada.password}' })
    const credential = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    return post('confirm', { credential: credential.toJSON(), label: 'Phone' })`)
  expect(added).toMatchObject({ label: 'Phone', last_used_at: null })

  const { access_token: byPasskey } = (await run(`${lines}; return token`)) as { access_token: string }
  const [, claims = ''] = byPasskey.split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ amr: ['pop', 'user', 'mfa'] })
})
