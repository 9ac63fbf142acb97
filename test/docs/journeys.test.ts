import { expect, test } from 'vitest'
import { bytesOfBase32 } from '../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../accounts/factor/totp.ts'
import { rows } from '../../api/needs.ts'
import type { FunctionName } from '../../api/routes.ts'
import { type JourneyName, journeyKinds, type Recorded } from '../../docs/write/costs/journeys.ts'
import type { MadeCall } from '../../local/aws/front.ts'
import { sessionOf } from '../support/api/requests.ts'
import { requestLine } from '../support/api/rows.ts'
import { shopQuery, shopRequest } from '../support/clients.ts'
import { authenticator } from '../support/service/authenticator.ts'
import { verifier } from '../support/service/grants.ts'
import { applications } from '../support/stack/settings.ts'
import { goToExample } from '../support/system/example.ts'
import { dateBack } from '../support/system/operator.ts'
import { linkIn, runSystem } from '../support/system/running.ts'

/**
 * The AWS calls of people's journeys, from which the costs in docs/deploy.md are computed. After a change of a
 * function's calls, `npx vitest run --project system test/docs/journeys.test.ts -u` records them again; then `npm run
 * docs`.
 */

const running = runSystem(
  { RATE_LIMITS: 'on', PASSKEY_RP_ID: 'localhost', OIDC_CLIENTS: applications },
  { providerPort: 0 },
)

const password = 'correct horse'
const journeys = new Map<JourneyName, Recorded>()
let sent: FunctionName[] = []

/** @param refusal the expected status of a refusal */
async function send(name: FunctionName, body?: object, bearer?: string, refusal?: number) {
  sent.push(name)
  const { method, path } = requestLine(name)
  const isForm = rows[name].form !== undefined
  const answer = await running.send(method, path, isForm ? String(new URLSearchParams({ ...body })) : body, {
    ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  })
  if (refusal === undefined) expect(answer.status).toBeLessThan(300)
  else expect(answer.status).toBe(refusal)
  return answer.body
}

async function openPage(path: string): Promise<void> {
  sent.push('pages')
  await running.send('GET', path)
}

const tokenOf = async (to: string) => linkIn(await running.nextMail(to)).searchParams.get('token') ?? ''

/** Until the worker has deleted every message. */
const allDelivered = () => expect.poll(() => running.system.messages('MailQueue'), { timeout: 60_000 }).toEqual([])

async function record(journey: JourneyName, steps: () => Promise<unknown>): Promise<void> {
  await allDelivered()
  sent = []
  const before = running.system.calls.map(call => ({ ...call }))
  await steps()
  await allDelivered()
  const ran = [...new Set<FunctionName>([...sent, 'on-mail-queued'])].map(name => {
    const calls = lasting(callsBetween(before, running.system.calls, name))
    const invocations = name === 'on-mail-queued' ? deletions(calls) : sent.filter(other => other === name).length
    return [name, { invocations, calls }] as const
  })
  journeys.set(journey, Object.fromEntries(ran.filter(([, { invocations }]) => invocations > 0)))
}

/** A function's calls, as `<action>`, with the table's name for items. */
function callsBetween(before: readonly MadeCall[], after: readonly MadeCall[], name: FunctionName) {
  const calls: Record<string, number> = {}
  const add = ({ caller, action, resource, count }: MadeCall, sign: number) => {
    if (caller !== name) return
    const [, table] = /:table\/Gatehouse-(\w+)/.exec(resource) ?? []
    const call = table ? `${action} ${table}` : action
    calls[call] = (calls[call] ?? 0) + sign * count
  }
  for (const call of after) add(call, 1)
  for (const call of before) add(call, -1)
  return Object.fromEntries(Object.entries(calls).filter(([, count]) => count > 0))
}

/** Calls of a start: logs, public keys, and Lambda's read of the polled queue's attributes. */
const ofStart = /^(?:logs:.*|kms:GetPublicKey|sqs:GetQueueAttributes)$/

const deletions = (calls: Record<string, number>): number => calls['sqs:DeleteMessage'] ?? 0

/** Without the calls of a start, and with one poll for each message: polls of an empty queue are priced apart. */
const lasting = (calls: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(calls)
      .filter(([call]) => !ofStart.test(call))
      .map(([call, count]) => [call, call === 'sqs:ReceiveMessage' ? deletions(calls) : count])
      .sort(),
  )

test('what journeys ask of AWS is what the costs are computed from', async () => {
  let email = 'ada@example.com'
  let bearer = ''
  const logIn = async () => (await send('login', { email, password })).access_token
  const register = async () => {
    await send('register', { email, password })
    const token = await tokenOf(email)
    await openPage('/verify-email')
    await send('verify-email', { token })
  }

  await record('registration', register)
  await record('first login', logIn)
  await record('login', async () => {
    bearer = await logIn()
  })
  await record('login by an application', async () => {
    const request = shopQuery()
    await openPage(`/authorize?${request}`)
    // The page first asks for a browser session.
    await send('authorize-session', { request }, undefined, 401)
    const { location } = await send('authorize', { request, email, password })
    const { access_token } = await send('token', {
      grant_type: 'authorization_code',
      client_id: shopRequest.client_id,
      redirect_uri: shopRequest.redirect_uri,
      code: new URL(location).searchParams.get('code') ?? '',
      code_verifier: verifier,
    })
    await send('userinfo', undefined, access_token)
  })
  await record('profile read', () => send('get-me', undefined, bearer))
  const opened = await send('login', { email, password, session: {} })
  await dateBack(running.system, email, sessionOf(opened.refresh_token).id)
  await record('refresh', () => send('refresh', { refresh_token: opened.refresh_token }))
  await record('changed password', async () => {
    await send('change-password', { current_password: password, new_password: 'battery staple' }, bearer)
    await running.nextMail(email)
  })
  await record('forgotten password', async () => {
    await send('forgot-password', { email })
    const token = await tokenOf(email)
    await openPage('/reset-password')
    await send('reset-password', { token, new_password: password })
    await running.nextMail(email)
  })
  bearer = await logIn()
  await record('deleted account', async () => {
    await send('delete-account', { password }, bearer)
    await running.nextMail(email)
  })
  await register()
  bearer = await logIn()
  await record('changed address', async () => {
    const moved = 'ada@example.org'
    await send('change-email', { new_email: moved }, bearer)
    const token = await tokenOf(moved)
    await openPage('/change-email')
    await send('confirm-email-change', { token, password })
    await running.nextMail(email)
    email = moved
  })
  bearer = await logIn()
  const device = authenticator({ origin: new URL(running.system.baseUrl).origin })
  const credential = device.create(await send('set-up-passkey', { password }, bearer))
  await send('confirm-passkey', { credential, label: 'Phone' }, bearer)
  await running.nextMail(email)
  const logInByPasskey = async () =>
    send('passkey-login', { assertion: device.get(await send('passkey-login-options')) })
  // The first login of a day writes the day.
  await logInByPasskey()
  await record('login by a passkey', logInByPasskey)
  const [example] = (await send('providers')).providers
  const prove = async () => (await goToExample(example)).proofOf(email)
  await send('provider-login', { ...(await prove()), email, password })
  await running.nextMail(email)
  await record('login by a provider', async () => {
    const proof = await prove()
    await openPage('/sign-in/example')
    await send('provider-login', proof)
  })
  const { secret } = await send('set-up-second-factor', { password }, bearer)
  const step = stepOf(new Date())
  const codeAt = (when: number) => codeOf(bytesOfBase32(secret), when)
  await send('confirm-second-factor', { code: codeAt(step) }, bearer)
  await running.nextMail(email)
  // A code works once, so the next one is taken early.
  await record('login with a code', () => send('login', { email, password, code: codeAt(step + 1) }))
  await record('catalogue request', () => send('catalogue'))

  const recorded = Object.fromEntries(Object.keys(journeyKinds).map(name => [name, journeys.get(name as JourneyName)]))
  await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot('../../docs/write/costs/journeys.json')
})
