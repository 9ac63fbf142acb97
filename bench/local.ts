import { readSettings } from '../infra/settings/settings.ts'
import { type Running, runStack } from '../local/system.ts'

/** The lowest cost that the settings allow, for measurements that are not about the hash. */
const defaults = { BCRYPT_COST: '10', MAIL_FROM: 'no-reply@localhost', RATE_LIMITS: 'off' }

/** Starts the local system, with data in memory. */
export async function startLocal(env: Record<string, string> = {}): Promise<Running & AsyncDisposable> {
  const settings = readSettings({ ...defaults, ...env })
  const system = await runStack({ settings, port: 0, inboxPort: 0, host: '127.0.0.1', dataDirectory: null })
  return Object.assign(system, { [Symbol.asyncDispose]: () => system.stop() })
}

/** Sends a request: by default a POST if there is a body, otherwise a GET. */
export async function request(
  { baseUrl }: Running,
  path: string,
  body?: object,
  token?: string,
  method = body ? 'POST' : 'GET',
): Promise<{ status: number; body: Record<string, string> }> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}
