import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { type Checklist, expectSame, Skipped, Unexpected } from '../command-line/checklist.ts'
import type { FindLink, Owner } from './account.ts'
import type { Client } from './client.ts'

export interface Registration extends Pick<Owner, 'otherEmail'> {
  /** The address to register. */
  email: string
  /** Null when the mailbox cannot be read. */
  findLink: FindLink | null
  audience: string
  keys: JSONWebKeySet | null
}

/** Why this address cannot register here, by the refusal's code. */
const closed: Record<string, string> = {
  'sign-up-closed': 'only operators open accounts here (SIGN_UP)',
  'email-domain-not-allowed': 'nobody opens an account at its domain (SIGN_UP_DOMAINS); pass --email',
}

/** Why address and password alone do not log in, by the refusal's code. */
const notYet: Record<string, string> = {
  'email-not-verified': 'the address must be verified first (REQUIRE_EMAIL_VERIFICATION); pass --inbox or --email',
  'second-factor-setup': 'everybody needs a second factor here (SECOND_FACTOR)',
}

/** Registers an account and logs in. @returns its owner, or null after a failed registration */
export async function checkRegistration(
  checklist: Checklist,
  client: Client,
  { email, otherEmail, findLink, audience, keys }: Registration,
): Promise<Owner | null> {
  const password = randomBytes(16).toString('hex')
  const register = (body: object) => client.ask('POST', '/auth/register', { body })
  let isRegistered = false
  let reason: string | undefined
  await checklist.check(`an account is registered for ${email}`, async () => {
    const { status, json, headers, text } = await register({ email, password, name: 'Smoke test' })
    reason = status === 403 ? closed[String(json?.code)] : undefined
    if (reason !== undefined) throw new Skipped(`${reason}. So is all that needs an account`)
    if (status !== 201) throw new Unexpected('201 to POST /auth/register', `${status} ${text}`)
    // The account exists even if the answer is wrong.
    isRegistered = true
    expectSame('email', json?.email, email)
    expectSame('is_verified', json?.is_verified, false)
    expectSame('Cache-Control', headers.get('cache-control'), 'no-store')
  })
  if (reason !== undefined) {
    await checklist.check('registration is refused before a password is looked at', async () => {
      const { status, json } = await register({ email, password: 'short' })
      expectSame('status', status, 403)
      expectSame('reason', closed[String(json?.code)], reason)
    })
  }
  if (!isRegistered) return null

  const isVerified = await checklist.check('the mail arrives, and its link verifies the address', async () => {
    if (findLink === null) throw new Skipped('nobody can read the mail; pass --inbox or --email')
    const token = new URL(await findLink(email, '/verify-email')).searchParams.get('token')
    await client.expect(200, 'POST', '/auth/verify-email', { body: { token } })
    return true
  })
  const token = await checklist.check('logging in gives an access token', async () => {
    const { status, json, text } = await client.ask('POST', '/auth/login', { body: { email, password } })
    const reason = notYet[String(json?.code)]
    if (reason !== undefined && !(isVerified && json?.code === 'email-not-verified')) throw new Skipped(reason)
    if (status !== 200) throw new Unexpected('200 to POST /auth/login', `${status} ${text}`)
    expectSame('token_type', json?.token_type, 'bearer')
    return String(json?.access_token)
  })
  await checklist.check('the token verifies against the published keys', async () => {
    if (token === null || keys === null) throw new Skipped('there is no token, or no key')
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      algorithms: ['RS256'],
      issuer: `${client.baseUrl}/auth`,
      audience,
      requiredClaims: ['sub', 'email', 'iat', 'exp'],
    })
    expectSame('email', payload.email, email)
  })
  await checklist.check('with the token, /auth/me shows the account', async () => {
    if (token === null) throw new Skipped('there is no token')
    const headers = { authorization: `Bearer ${token}` }
    const { json } = await client.expect(200, 'GET', '/auth/me', { headers })
    expectSame('email', json?.email, email)
    expectSame('is_verified', json?.is_verified, isVerified === true)
  })
  return { email, otherEmail, password, token }
}

/** Milliseconds that a mail may take: the queue delays it by 2 s, and a worker may need a cold start. */
const mailTimeout = 30_000

/** Waits for the mail in the local inbox. @returns its link */
export async function linkFromInbox(inboxUrl: string, email: string, page: string): Promise<string> {
  for (const deadline = Date.now() + mailTimeout; Date.now() < deadline; await wait(500)) {
    const response = await fetch(new URL('/store', inboxUrl))
    const { emails } = (await response.json()) as {
      emails: { destination: { to: string[] }; body: { text?: string } }[]
    }
    const link = emails
      .filter(({ destination }) => destination.to.includes(email))
      .flatMap(({ body }) => body.text?.match(/https?:\/\/\S+token=\S+/) ?? [])
      .findLast(link => new URL(link).pathname.endsWith(page))
    if (link) return link
  }
  throw new Unexpected(`a mail to ${email} within ${mailTimeout / 1000} s`, 'none')
}
