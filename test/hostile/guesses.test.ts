import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { guessing } from '../../accounts/password/guesses.ts'
import { minute, windowOf } from '../../shared/base/limits/windows.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { type Person, startTarget } from '../support/attack/target.ts'

/** Guesses at passwords, from many clients and in parallel, with the deployed limits. */

/** The limit of the route is out of reach. The limits on guessing cannot be changed. */
const target = startTarget({ RATE_LIMITS: 'login=1000000/minute' }, { concurrency: 10 })

/** Counts restart with each window. A test in the last minute of one waits for the next. */
beforeEach(async () => {
  const left = windowOf(guessing.pair, new Date()).resetsAt.getTime() - Date.now()
  if (left < minute * 1000) await wait(left)
}, 90_000)

interface LoginAnswer {
  status: number
  retryAfter: number
  detail: string | undefined
}

/** Logs in from one of the machine's loopback addresses, each of which is a client. */
const logInFrom = (localAddress: string, person: Person): Promise<LoginAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(target.system.baseUrl)
    const sent = request(
      {
        host: hostname === 'localhost' ? '127.0.0.1' : hostname,
        port,
        localAddress,
        method: 'POST',
        path: '/auth/login',
        headers: { 'content-type': 'application/json' },
      },
      async answer => {
        const body = (await json(answer)) as { access_token?: string; detail?: string }
        if (body.access_token) target.secrets.add(body.access_token)
        const { statusCode: status = 0, headers } = answer
        resolve({ status, retryAfter: Number(headers['retry-after']), detail: body.detail })
      },
    )
    sent.on('error', reject).end(JSON.stringify(person))
  })

const statuses = (answers: LoginAnswer[]) => answers.map(({ status }) => status)

// Other systems have one loopback address, unless configured.
test.runIf(process.platform === 'linux')(
  'a hundred wrong guesses from ten clients do not keep the owner out of where they have logged in before',
  async () => {
    const owner = await target.register()
    const wrong = { ...owner, password: 'wrong horse' }
    expect((await logInFrom('127.0.0.1', owner)).status).toBe(200)
    const strangers = Array.from({ length: 10 }, (_, i) => `127.0.0.${11 + i}`)
    const guesses = await Promise.all(
      strangers.flatMap(stranger => Array.from({ length: 10 }, () => logInFrom(stranger, wrong))),
    )
    expect(statuses(guesses)).toEqual(Array(100).fill(401))

    expect((await logInFrom('127.0.0.99', owner)).status).toBe(429)
    expect((await logInFrom('127.0.0.11', wrong)).status).toBe(429)
    expect((await logInFrom('127.0.0.1', owner)).status).toBe(200)
    const ownerGuesses = await Promise.all(Array.from({ length: 12 }, () => logInFrom('127.0.0.1', wrong)))
    expect(statuses(ownerGuesses).sort()).toEqual([...Array(10).fill(401), 429, 429])
  },
)

test('thirty right logins at once all succeed, when each client does what Retry-After says', async () => {
  const owner = await target.register()
  const patient = async (): Promise<number> => {
    for (let tries = 1; ; tries++) {
      const { status, retryAfter, detail } = await logInFrom('127.0.0.1', owner)
      if (status === 200) return tries
      expect([status, retryAfter, detail]).toEqual([429, 1, 'Another login is being checked'])
      await wait(retryAfter * 1000)
    }
  }
  expect(await Promise.all(Array.from({ length: 30 }, patient))).toHaveLength(30)
})

test('of thirty wrong logins at once, ten are checked', async () => {
  const owner = await target.register()
  const wrong = { ...owner, password: 'wrong horse' }
  const answers = statuses(await Promise.all(Array.from({ length: 30 }, () => logInFrom('127.0.0.1', wrong))))
  expect(answers.sort()).toEqual([...Array(10).fill(401), ...Array(20).fill(429)])
})

testAfterAttack(target)
