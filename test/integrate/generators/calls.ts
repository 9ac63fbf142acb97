import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { bytesOfBase32 } from '../../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../../accounts/factor/totp.ts'
import { tagOf } from '../../../api/openapi/descriptions.ts'
import { type Operation, operations } from '../../../api/openapi/operations.ts'
import type { EndpointName } from '../../../api/routes.ts'
import { goodBody, type Sender } from '../../support/api/requests.ts'
import type { LyingProvider } from '../../support/service/lying-provider.ts'
import { addPasskey } from '../../support/system/passkeys.ts'
import { logInFor, type RunningSystem, registerSender } from '../../support/system/running.ts'
import { serve } from '../../support/web-server.ts'
import type { Call } from './generator.ts'

/** Without those of applications, which this system does not have: they are for OpenID Connect clients (`applications.test.ts`). */
export const accountOperations = operations.filter(({ path, row }) => tagOf(path) === 'accounts' && !row.withClients)

const password = 'correct horse'
/** A login with one of these addresses gets a code that no client knows, or API Gateway's own answer. */
const addresses = { unknown: 'unknown-code@example.com', gateway: 'api-gateway@example.com' }

let people = 0

/** The app's secret behind each code. A code expires before a client is compiled. */
const secrets = new Map<string, string>()

/** A body with the present code. */
const withCodeOfNow = (body: string): string =>
  [...secrets].reduce(
    (text, [code, secret]) => text.replace(`"${code}"`, `"${codeOf(bytesOfBase32(secret), stepOf(new Date()))}"`),
    body,
  )

/** A successful call of each operation, by a person of its own; then the two failing logins. */
export async function prepareCalls(running: RunningSystem, provider: LyingProvider): Promise<Call[]> {
  const calls = await Promise.all(accountOperations.map(operation => prepare(running, provider, operation)))
  const failing = Object.values(addresses).map(email => ({ shape: 'UserLogin', value: { email, password } }))
  const login = calls.find(({ id }) => id === 'login') as Call
  return [...calls, ...failing.map(body => ({ ...login, body }))]
}

async function prepare(running: RunningSystem, provider: LyingProvider, operation: Operation): Promise<Call> {
  const { method, path, name, rowName, row, shape } = operation
  const email = `generated-${++people}@example.com`
  // With a name, because not every client writes null.
  const registered = await registerSender(running, email, { name: 'Ada' })
  const sender: Sender = { ...registered, providerToken: () => confirmedBy(running, provider, email) }
  const entered = row.access === 'bearer' ? await logInFor(rowName as EndpointName, running, sender) : null
  const passkey = row.goal === 'passkeys' ? await passkeyOf(running, sender, entered?.accessToken) : {}
  if (entered?.code && entered.secret) secrets.set(entered.code, entered.secret)
  const own = { ...sender, ...(entered?.code && { code: entered.code }), ...passkey }
  const good = await goodBody(rowName as EndpointName, own)
  const value = row.withProviders && good ? { ...good, email, password } : good
  const token = entered?.accessToken ?? null
  const id = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return { id, method, path, body: row.body ? { shape: row.body, value } : null, reply: shape, token }
}

/** Returns from a provider whose word needs the password once. @returns the token of that word, to send with it */
async function confirmedBy(running: RunningSystem, provider: LyingProvider, email: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  const authorization_code = provider.authorize(verifier, { sub: email, email, email_verified: true })
  const proof = { provider: provider.provider.id, authorization_code, code_verifier: verifier }
  const { body } = await running.send('POST', '/auth/provider-login', proof)
  return body.provider_token
}

/** A sender's passkey members. */
async function passkeyOf(running: RunningSystem, { email, password, newEmail }: Sender, accessToken?: string) {
  const { body } = await running.send('POST', '/auth/login', { email, password })
  const owner = { email, password, newEmail, accessToken: accessToken ?? body.access_token }
  const { id, logIn, make } = await addPasskey(running, owner)
  return { passkey: id, assertion: asDescribed(logIn), credential: asDescribed(make) }
}

/** Typed clients accept the described literals, and nothing that browsers add. */
const asDescribed =
  <R extends object>(make: () => Promise<{ id: string; rawId: string; response: R }>) =>
  async () => {
    const { id, rawId, response } = await make()
    return { id, rawId, response }
  }

/**
 * A later version of the API, as on AWS: it forwards requests to the real one, adds a member to each answer and a code
 * that no client knows, and has API Gateway in front.
 */
export const serveLaterVersion = (baseUrl: string) =>
  serve(async (request, response) => {
    const sent = withCodeOfNow(await text(request))
    const { authorization, 'content-type': type } = request.headers
    const answer = sent.includes(addresses.unknown)
      ? Response.json(unknownProblem, {
          status: 403,
          headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
        })
      : sent.includes(addresses.gateway)
        ? Response.json({ message: 'Too Many Requests' }, { status: 429 })
        : await fetch(new URL(request.url ?? '', baseUrl), {
            method: request.method ?? 'GET',
            headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
            ...(sent && { body: sent }),
          })
    const { 'content-length': _, ...headers } = Object.fromEntries(answer.headers)
    response.writeHead(answer.status, headers)
    response.end(JSON.stringify({ ...((await answer.json()) as object), added_later: { more: [1] } }))
  })

const unknownProblem = {
  type: 'about:blank',
  title: 'Forbidden',
  status: 403,
  detail: 'Something new',
  code: 'from-the-future',
}
