import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { clients } from '../../docs/write/clients.ts'
import { makeCertificate } from '../support/certificate.ts'
import { runSystem } from '../support/system/running.ts'
import { clientsFolder, needing } from './generators/tools.ts'
import { addressOf, browse, leadsTo, visitAs } from './programs.ts'

/** Clients of others, each with its lines of the table in docs/integrate.md. */

const home = 'http://localhost:8000'

interface Program {
  /** Where a login begins. */
  begin: string
  redirect: string
  /** Where it shows who is logged in. */
  me: string
  /** What it shows of Ada. */
  shows?: object
  pkce?: 'optional'
}
const person = { sub: expect.any(String), name: 'Ada', email: 'ada@example.com' }
const programs: Record<string, Program> = {
  'next-auth.js': {
    begin: '/api/auth/signin/gatehouse',
    redirect: '/api/auth/callback/gatehouse',
    me: '/api/auth/session',
  },
  'express-openid-connect.js': { begin: '/login', redirect: '/callback', me: '/me' },
  'passport-openidconnect.js': { begin: '/login', redirect: '/callback', me: '/me', pkce: 'optional' },
  'msal-node.js': { begin: '/login', redirect: '/callback', me: '/me' },
  'flask-oidc.py': { begin: '/login', redirect: '/authorize', me: '/me' },
  'django-allauth.py': {
    begin: '/accounts/oidc/gatehouse/login/',
    redirect: '/accounts/oidc/gatehouse/login/callback/',
    me: '/me',
    shows: { name: 'ada@example.com' },
  },
  'mozilla-django-oidc.py': {
    begin: '/oidc/authenticate/',
    redirect: '/oidc/callback/',
    me: '/me',
    shows: { name: '' },
  },
}

/** It wants a POST, with a token of its own. */
async function beginNextAuth(ask: ReturnType<typeof browse>, address: string): Promise<Response> {
  const { csrfToken } = await (await ask('/api/auth/csrf')).json()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return ask(address, { method: 'POST', headers, body: new URLSearchParams({ csrfToken, callbackUrl: home }) })
}

const secret = `ghc1_${'s'.repeat(43)}`
const idOf = (file: string): string => file.replace(/\.\w+$/, '')
// MSAL refuses http, so all of them trust a certificate, as docs/local.md says.
const folder = mkdtempSync(join(tmpdir(), 'clients-'))
const certificate = makeCertificate(folder)
setDefaultCACertificates([certificate.cert])
afterAll(() => rmSync(folder, { recursive: true }))
const trust = Object.fromEntries(
  ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'].map(name => [name, certificate.certFile]),
)

const settings = {
  RATE_LIMITS: 'off',
  OIDC_CLIENTS: JSON.stringify(
    Object.entries(programs).map(([file, { redirect, pkce }]) => ({
      ...{ id: idOf(file), name: file, redirects: [home + redirect], unverified: true },
      secrets: [createHash('sha256').update(secret).digest('hex')],
      ...(pkce && { pkce }),
    })),
  ),
}
const running = runSystem(settings, { certificate })
const ada = { email: person.email, password: 'correct horse' }
beforeAll(async () => {
  const { body } = await running.send('POST', '/auth/register', { ...ada, name: person.name })
  person.sub = body.id
})
const visit = visitAs(running, ada)

test.for(Object.entries(programs))('%s logs people in', async ([file, { begin, redirect, me, shows }], { skip }) => {
  const isPython = file.endsWith('.py')
  const absent = await needing(isPython ? 'pythonClients' : 'npmClients')()
  if (absent) console.warn(`Not run: ${file}. ${absent}.`)
  if (absent) skip(absent)
  const env = {
    ...{ ...process.env, ...trust },
    ...{ ISSUER: `${running.system.baseUrl}/auth`, CLIENT_ID: idOf(file), CLIENT_SECRET: secret },
    ...{ APP_ORIGIN: home, REDIRECT: home + redirect, SESSION_SECRET: 'a secret of the tests, long enough', PORT: '0' },
    ...{ DATABASE: join(folder, file), NEXTAUTH_URL: home },
  }
  const application = spawn(isPython ? 'python3' : process.execPath, [file], { cwd: clientsFolder, env })
  onTestFinished(() => void application.kill())
  const open = browse(await addressOf(application))
  // Django takes its address from the request.
  const ask = (address: string, init: RequestInit = {}) =>
    open(address, { ...init, headers: { ...init.headers, 'x-forwarded-host': new URL(home).host } })
  const begun = await (file === 'next-auth.js' ? beginNextAuth(ask, begin) : ask(begin))
  const { origin, pathname, search } = new URL(await visit(leadsTo(begun)))
  expect(origin + pathname).toBe(home + redirect)
  await ask(pathname + search)
  expect(await (await ask(me)).json()).toMatchObject({ ...person, ...shows })
})

test('these are the tested rows that have a program of their own', () => {
  const examples = clients.flatMap(({ lines, known }) =>
    'example' in lines && known === 'test' ? [lines.example] : [],
  )
  expect(Object.keys(programs).sort()).toEqual(examples.sort())
})
