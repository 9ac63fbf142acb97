import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operate } from './operate.ts'
import { runSystem } from './running.ts'

/** Everybody's password, unless a test says otherwise. */
export const password = 'correct horse'

/** A folder for the data of a system. */
export const makeDataDirectory = (): string => mkdtempSync(join(tmpdir(), 'gatehouse-commands-'))

/** The running system with its data in a folder, and the commands of `operations/users.ts`, which find it there. */
export function runWithCommands(env: Record<string, string> = {}, dataDirectory = makeDataDirectory()) {
  const running = runSystem(env, { dataDirectory })

  const users = (args: readonly string[], input: string | Promise<string> = '', interrupted?: Promise<unknown>) =>
    operate('users', [...args, '--local'], {
      env: { DATA_DIR: dataDirectory },
      input,
      ...(interrupted && { interrupted }),
    })
  const logIn = (email: string, tried = password) => running.send('POST', '/auth/login', { email, password: tried })
  /** How many calls of an action commands have made. */
  const callsOf = (action: string): number =>
    running.system.calls
      .filter(call => call.caller === 'operator' && call.action === `dynamodb:${action}`)
      .reduce((sum, { count }) => sum + count, 0)
  return { running, dataDirectory, users, logIn, callsOf }
}
