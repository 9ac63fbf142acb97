import { randomBytes } from 'node:crypto'
import { bytesOfBase32 } from '../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../accounts/factor/totp.ts'
import { type Checklist, expectSame, Skipped } from '../command-line/checklist.ts'
import type { Client } from './client.ts'

/** Finds the mailed link to a page (`/verify-email`). @throws when no mail arrives */
export type FindLink = (email: string, page: string) => Promise<string>

export interface Owner {
  email: string
  /** An address without an account to change to; null when no mailbox can be read. */
  otherEmail: string | null
  password: string
  /** Null after a failed login. */
  token: string | null
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

/** Does what an owner can do with an account, and deletes it if the login works. @returns whether it is deleted */
export async function checkOwner(
  checklist: Checklist,
  client: Client,
  { email, otherEmail, password, token }: Owner,
  findLink: FindLink | null,
): Promise<boolean> {
  const newPassword = randomBytes(16).toString('hex')
  let address = email
  const fresh = await checklist.check('changing the password revokes the older token', async () => {
    if (token === null) throw new Skipped('there is no token')
    const { json } = await client.expect(200, 'POST', '/auth/change-password', {
      headers: bearer(token),
      body: { current_password: password, new_password: newPassword },
    })
    await client.expect(401, 'GET', '/auth/me', { headers: bearer(token) })
    return String(json?.access_token)
  })
  await checklist.check('logging out everywhere revokes the tokens', async () => {
    if (fresh === null) throw new Skipped('there is no token')
    await client.expect(200, 'POST', '/auth/logout-everywhere', { headers: bearer(fresh) })
    await client.expect(401, 'GET', '/auth/me', { headers: bearer(fresh) })
  })
  await checklist.check('a session is refreshed, listed and logged out', async () => {
    if (fresh === null) throw new Skipped('there is no token')
    const { json } = await client.expect(200, 'POST', '/auth/login', {
      body: { email, password: newPassword, session: { label: 'Smoke test' } },
    })
    if (json?.refresh_token === undefined) throw new Skipped('SESSION_DAYS is 0')
    const body = { refresh_token: json.refresh_token }
    const { json: refreshed } = await client.expect(200, 'POST', '/auth/refresh', { body })
    const headers = bearer(String(refreshed?.access_token))
    const { json: list } = await client.expect(200, 'GET', '/auth/sessions', { headers })
    const labels = (list?.sessions as { label: string | null }[] | undefined)?.map(({ label }) => label)
    expectSame('labels', labels?.join(), 'Smoke test')
    await client.expect(200, 'POST', '/auth/logout', { body })
    await client.expect(401, 'GET', '/auth/me', { headers })
    await client.expect(400, 'POST', '/auth/refresh', { body })
  })
  await checklist.check('a second factor is set up, asked for and removed', async () => {
    if (fresh === null) throw new Skipped('there is no token')
    const credentials = { email, password: newPassword }
    const logIn = async (status: number, code?: string) =>
      (await client.expect(status, 'POST', '/auth/login', { body: { ...credentials, ...(code && { code }) } })).json
    const headers = bearer(String((await logIn(200))?.access_token))
    const setup = await client.ask('POST', '/auth/second-factor/setup', { headers, body: { password: newPassword } })
    if (setup.json?.code === 'email-not-verified')
      throw new Skipped('the address must be verified first; pass --inbox or --email')
    if (setup.json?.code === 'second-factor-off') throw new Skipped('SECOND_FACTOR is off')
    expectSame('status', setup.status, 200)
    const code = codeOf(bytesOfBase32(String(setup.json?.secret)), stepOf(new Date()))
    const { json: confirmed } = await client.expect(200, 'POST', '/auth/second-factor/confirm', {
      headers,
      body: { code },
    })
    expectSame('code', (await logIn(401))?.code, 'second-factor-required')
    const [first, second] = (confirmed?.recovery_codes ?? []) as string[]
    const { access_token } = (await logIn(200, first)) ?? {}
    await client.expect(200, 'POST', '/auth/second-factor/remove', {
      headers: bearer(String(access_token)),
      body: { password: newPassword, code: second },
    })
  })
  await checklist.check('the address is changed, and changed back', async () => {
    if (fresh === null) throw new Skipped('there is no token')
    if (findLink === null || otherEmail === null) throw new Skipped('nobody can read the mails; pass --inbox')
    for (const next of [otherEmail, email]) {
      const former = { email: address, password: newPassword }
      const { json } = await client.expect(200, 'POST', '/auth/login', { body: former })
      const headers = bearer(String(json?.access_token))
      await client.expect(200, 'POST', '/auth/change-email', { headers, body: { new_email: next } })
      const token = new URL(await findLink(next, '/change-email')).searchParams.get('token')
      const body = { token, password: newPassword }
      await client.expect(200, 'POST', '/auth/confirm-email-change', { body })
      address = next
      await client.expect(401, 'GET', '/auth/me', { headers })
      await client.expect(401, 'POST', '/auth/login', { body: former })
    }
  })
  const isDeleted = await checklist.check('the account is deleted, and can no longer log in', async () => {
    if (fresh === null) throw new Skipped('there is no token')
    const credentials = { email: address, password: newPassword }
    const { json } = await client.expect(200, 'POST', '/auth/login', { body: credentials })
    const { json: answer } = await client.expect(200, 'POST', '/auth/delete-account', {
      headers: bearer(String(json?.access_token)),
      body: { password: newPassword },
    })
    expectSame('success', answer?.success, true)
    await client.expect(401, 'POST', '/auth/login', { body: credentials })
    return true
  })
  return isDeleted === true || (await cleanUp(client, address, [newPassword, password]))
}

/** Deletes the account after a failed check, with whichever password works. */
async function cleanUp(client: Client, email: string, passwords: readonly string[]): Promise<boolean> {
  for (const password of passwords) {
    try {
      const { json } = await client.expect(200, 'POST', '/auth/login', { body: { email, password } })
      const headers = bearer(String(json?.access_token))
      await client.expect(200, 'POST', '/auth/delete-account', { headers, body: { password } })
      return true
    } catch {}
  }
  return false
}
