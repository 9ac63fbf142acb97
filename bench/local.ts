import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '../infra/settings/settings.ts'
import { type Running, runStack } from '../local/system.ts'
import { type Assembly, assemble } from '../local/template/assembly.ts'

/** The lowest cost that the settings allow, for measurements that are not about the hash. */
const defaults = { BCRYPT_COST: '10', MAIL_FROM: 'no-reply@localhost', RATE_LIMITS: 'off' }

/** Starts the local system, with data in memory. @param change is made to the stack before it runs */
export async function startLocal(
  env: Record<string, string> = {},
  change: (assembly: Assembly) => Promise<void> = async () => {},
): Promise<Running & AsyncDisposable> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const settings = readSettings({ ...defaults, ...env })
  const assembly = await assemble(settings, directory)
  await change(assembly)
  const options = { settings, assembly, port: 0, inboxPort: 0, host: '127.0.0.1', dataDirectory: null }
  const system = await runStack(options)
  return Object.assign(system, {
    async [Symbol.asyncDispose]() {
      await system.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  })
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
