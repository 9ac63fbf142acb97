import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Running, runStack } from '../infra/local/system.ts'
import { type Assembly, assemble } from '../infra/local/template/assembly.ts'
import { readSettings } from '../infra/settings/settings.ts'

/** bcrypt's least that the settings allow: what a hash costs is measured where it is the question. */
const defaults = { BCRYPT_COST: '10', MAIL_FROM: 'no-reply@localhost', RATE_LIMITS: 'off' }

/** The whole system on this machine, its data in memory. @param change to the stack before it runs */
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

/** Posts JSON, or gets, unless a method is given. @returns the status and the body */
export async function ask(
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
