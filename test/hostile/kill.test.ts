import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, expect, test } from 'vitest'
import type { Mail } from '../../local/inbox/inbox.ts'
import { type OperatorFile, operatorFileName } from '../../local/operator.ts'
import { type Answer, sendRaw } from '../support/attack/raw-request.ts'
import { subjectsOf } from '../support/service/identities.ts'

/** Kills the whole system with `kill -9` in the middle of its work, under `npm start`. */

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-kill-'))
const children: ChildProcess[] = []
afterEach(async () => {
  const ends = children
    .filter(child => child.exitCode === null && child.signalCode === null)
    .map(child => once(child, 'exit'))
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await Promise.all(ends)
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

/** The newest token in the mails to each address. @param page of its link; any without */
async function mailedTokens({ inbox }: Started, page = ''): Promise<Map<string, string>> {
  const { body } = await sendRaw(inbox, { path: '/store' })
  return new Map(
    (body.emails as Mail[]).flatMap(({ destination, body: { text = '' } }) => {
      const [, token] = new RegExp(`/${page || '[\\w-]+'}\\?token=([\\w-]+)`).exec(text) ?? []
      return token === undefined ? [] : [[destination.to[0] ?? '', token] as const]
    }),
  )
}

/** What is in the table of accounts, read as operators do. */
async function itemsThere(): Promise<Record<string, unknown>[]> {
  const { outputs, ...client } = JSON.parse(
    readFileSync(join(directory, 'data', operatorFileName), 'utf8'),
  ) as OperatorFile
  const [TableName] = Object.values(outputs).flatMap(({ AccountsTable }) => AccountsTable ?? [])
  const db = DynamoDBDocumentClient.from(new DynamoDBClient(client))
  const { Items = [] } = await db.send(new ScanCommand({ TableName, ConsistentRead: true }))
  return Items
}

test('after kill -9 under load acknowledged accounts are there, with mails whose links work', async () => {
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

/** A call to AWS took longer than it may: the request says so, and may have been carried out. */
class Busy extends Error {}

/** The writes of several items. */
const deadly = ['register', 'confirm-email-change', 'undo', 'delete-account']
/** One death in each kind of write; `KILLS` asks for more. */
const kills = Number(process.env.KILLS ?? deadly.length)

test('after kill -9 each account has its entries, and each entry an account', async () => {
  let people = 0
  for (let round = 0; round < kills; round++) {
    const system = await start()
    const dies = once(system.child, 'exit')
    let isOver = false
    const die = () => {
      isOver = true
      system.child.kill('SIGKILL')
    }
    const send = async (path: string, body: object, token?: string) => {
      const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` }
      // It dies at work, somewhere in its writes.
      if (path === deadly[round % deadly.length]) setTimeout(die, 20 + ((round * 37) % 160))
      const answer = await sendRaw(system.api, {
        method: 'POST',
        path: `/auth/${path}`,
        body,
        ...(headers && { headers }),
      })
      if (answer.status === 503) throw new Busy()
      expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300)
      return answer.body
    }
    const mailed = async (email: string, page: string): Promise<string> => {
      for (;;) {
        const token = (await mailedTokens(system, page)).get(email)
        if (token !== undefined) return token
        await wait(50)
      }
    }
    /** Opens an account, moves it, takes it back, and deletes another one. */
    async function live(): Promise<void> {
      const number = people++
      const email = `q${number}@example.com`
      await send('register', { email, password })
      await send('verify-email', { token: await mailed(email, 'verify-email') })
      const { access_token } = await send('login', { email, password })
      await send('change-email', { new_email: `new-${email}` }, access_token)
      const token = await mailed(`new-${email}`, 'change-email')
      await send('confirm-email-change', { token, password })
      const other = await send('login', { email: `new-${email}`, password })
      if (number % 2) return void (await send('delete-account', { password }, other.access_token))
      await send('undo', { token: await mailed(email, 'undo') })
    }
    const lives = Array.from({ length: 2 }, async () => {
      // What is cut off has no answer.
      while (!isOver) await live().catch(error => (isOver || error instanceof Busy ? null : Promise.reject(error)))
    })
    await Promise.all([dies, ...lives])
    expect(system.errors()).toBe('')

    const again = await start()
    await subjectsOf({ items: itemsThere })
    again.child.kill('SIGKILL')
    await once(again.child, 'exit')
  }
}, 1_200_000)
