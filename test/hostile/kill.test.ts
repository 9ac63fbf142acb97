import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { Mail } from '../../local/inbox/inbox.ts'
import { type Answer, sendRaw } from '../support/attack/raw-request.ts'

/** Kills the whole system with `kill -9` in the middle of its work, under `npm start`. */

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-kill-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

interface Started {
  child: ChildProcess
  api: string
  inbox: string
  errors: () => string
}

function start(): Promise<Started> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../local/start.ts')], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: join(directory, 'data'),
      RATE_LIMITS: 'off',
      BCRYPT_COST: '10',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let output = ''
  let errors = ''
  child.stderr.on('data', chunk => (errors += chunk))
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the system does not start: ${errors}`)))
    child.stdout.on('data', chunk => {
      output += chunk
      const [, api, inbox] = /API +(http:\S+)\s+Inbox +(http:\S+)/.exec(output) ?? []
      if (api && inbox) resolve({ child, api, inbox, errors: () => errors })
    })
  })
}

const password = 'correct horse'
const register = (api: string, email: string): Promise<Answer> =>
  sendRaw(api, { method: 'POST', path: '/auth/register', body: { email, password } })

/** The newest token in the mails to each address. */
async function mailedTokens({ inbox }: Started): Promise<Map<string, string>> {
  const { body } = await sendRaw(inbox, { path: '/store' })
  return new Map(
    (body.emails as Mail[]).map(({ destination, body: { text = '' } }) => [
      destination.to[0] ?? '',
      /token=([\w-]{43})/.exec(text)?.[1] ?? '',
    ]),
  )
}

test('after kill -9 under load every acknowledged account is there, with a mail whose link works', async () => {
  const asked: string[] = []
  const acknowledged = new Set<string>()
  // Longer than the queue delays a registration's mail: some are sent, some queued, some in a worker.
  for (const milliseconds of [2600, 400]) {
    const system = await start()
    const dies = once(system.child, 'exit')
    let isOver = false
    const clients = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        const email = `p${asked.push('') - 1}@example.com`
        asked[asked.length - 1] = email
        const answer = await register(system.api, email).catch(() => null)
        if (answer?.status === 201) acknowledged.add(email)
        else if (!isOver) expect(answer?.status, answer?.text).toBe(201)
      }
    })
    await wait(milliseconds)
    isOver = true
    system.child.kill('SIGKILL')
    await Promise.all([dies, ...clients])
    expect(system.errors()).toBe('')
  }
  expect(acknowledged.size).toBeGreaterThan(0)

  const system = await start()
  let tokens = await mailedTokens(system)
  for (let tries = 0; tries < 100 && [...acknowledged].some(email => !tokens.has(email)); tries++) {
    await wait(200)
    tokens = await mailedTokens(system)
  }
  expect([...acknowledged].filter(email => !tokens.has(email))).toEqual([])

  // A registration that was not acknowledged is complete, with a mail whose link works, or does not exist.
  for (const [email, token] of tokens) {
    const { status } = await sendRaw(system.api, { method: 'POST', path: '/auth/verify-email', body: { token } })
    expect(status, email).toBe(200)
  }
  const [first = ''] = acknowledged
  const login = { method: 'POST', path: '/auth/login', body: { email: first, password } }
  expect((await sendRaw(system.api, login)).status).toBe(200)
  const late: string[] = []
  for (const email of asked.filter(address => !tokens.has(address))) {
    const { status } = await register(system.api, email)
    expect([201, 400]).toContain(status)
    if (status === 400) late.push(email)
  }
  for (let tries = 0; tries < 100 && late.some(email => !tokens.has(email)); tries++) {
    await wait(200)
    tokens = await mailedTokens(system)
  }
  expect(late.filter(email => !tokens.has(email))).toEqual([])
  expect(system.errors()).toBe('')
}, 120_000)
