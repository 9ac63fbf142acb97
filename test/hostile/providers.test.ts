import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { statementOf } from '../../infra/settings/provider-members.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import type { Answer } from '../support/attack/raw-request.ts'
import { startTarget } from '../support/attack/target.ts'
import { startLyingProvider } from '../support/service/lying-provider.ts'
import { listedIn } from '../support/system/providers.ts'
import { serve } from '../support/web-server.ts'

/** A provider that does not answer as it should, and secrets that are not its own. */

const liar = await startLyingProvider(() => new Date(), {
  id: 'honest',
  name: 'Honest',
  secret: 'the-secret-at-the-honest-one',
})
const listed = [liar.provider]
const target = startTarget(
  async directory => {
    const list = await listedIn(directory, listed)
    const [{ secret: copied }] = JSON.parse(list)
    const [{ secret: foreign }] = JSON.parse(await listedIn(`${directory}-elsewhere`, listed))
    const wrong = Object.entries({ copied, foreign }).map(([id, secret]) => ({
      ...statementOf(liar.provider),
      ...{ id, secret, issuer: `${liar.provider.issuer}/${id}` },
    }))
    return { SIGN_IN_PROVIDERS: JSON.stringify([...JSON.parse(list), ...wrong]) }
  },
  { concurrency: 8 },
)
for (const { secret } of listed) target.secrets.add(secret)
afterEach(() => {
  Object.assign(liar, { lies: {}, token: null, exchanges: [] })
})
afterAll(() => liar[Symbol.asyncDispose]())

/** A browser's secret, or a subject of a provider. */
function drawn(): string {
  const text = randomBytes(32).toString('base64url')
  target.secrets.add(text)
  return text
}

/** A return from the provider. */
function trip() {
  const code_verifier = drawn()
  return {
    provider: liar.provider.id,
    authorization_code: liar.authorize(code_verifier, { sub: drawn() }),
    code_verifier,
  }
}
const logIn = (proof: object): Promise<Answer> => target.post('/auth/provider-login', proof)
const outcome = ({ status, body }: Answer) => (status < 400 ? status : body.code)

test.each(['copied', 'foreign'])(
  'a secret that is %s, from another entry or another key, is shown to nobody',
  async provider => {
    const answer = await logIn({ ...trip(), provider })
    expect([outcome(answer), liar.exchanges]).toEqual(['provider-unavailable', []])
    const events = target.logs.flatMap(({ line }) => JSON.parse(line).message ?? [])
    expect(events).toContainEqual({ event: 'provider-misconfigured', provider, reason: 'secret' })
  },
)

describe('a provider that', () => {
  const unanswered = async () => {
    const started = performance.now()
    const answer = await logIn(trip())
    expect([outcome(answer), answer.status, answer.headers['retry-after']]).toEqual(['provider-unavailable', 503, '5'])
    // Before the function's 10 s.
    expect(performance.now() - started).toBeLessThan(9000)
  }

  test('is silent', async () => {
    liar.token = () => {}
    await unanswered()
  })

  test('hangs up', async () => {
    liar.token = (_, response) => response.destroy()
    await unanswered()
  })

  test('answers a byte at a time', async () => {
    liar.token = (_, response) => {
      const more = setInterval(() => response.write(' '), 100)
      response.on('close', () => clearInterval(more))
    }
    await unanswered()
  })

  test('answers without end', async () => {
    liar.token = (_, response) => {
      const more = () => {
        if (!response.destroyed) response.write('x'.repeat(16_384), () => setImmediate(more))
      }
      more()
    }
    await unanswered()
  })

  test('redirects to another address, which nobody calls', async () => {
    let calls = 0
    await using elsewhere = await serve((_, response) => {
      calls++
      response.end()
    })
    liar.token = (_, response) => response.writeHead(307, { location: elsewhere.url }).end()
    await unanswered()
    expect(calls).toBe(0)
  })

  test('names keys elsewhere in its id tokens, which nobody calls', async () => {
    let calls = 0
    await using elsewhere = await serve((_, response) => {
      calls++
      response.end()
    })
    liar.lies = { header: { jku: elsewhere.url, x5u: elsewhere.url, kid: 'of-another' } }
    expect(outcome(await logIn(trip()))).toBe('provider-refused')
    expect(calls).toBe(0)
  })
})

testAfterAttack(target)
