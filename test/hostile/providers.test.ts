import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { statementOf } from '../../infra/settings/provider-members.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import type { Answer } from '../support/attack/raw-request.ts'
import { startTarget } from '../support/attack/target.ts'
import { startLyingProvider } from '../support/service/lying-provider.ts'
import { listedIn } from '../support/system/providers.ts'

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

test('a provider that is silent is unavailable before the function ends', async () => {
  liar.token = () => {}
  const started = performance.now()
  const answer = await logIn(trip())
  expect([outcome(answer), answer.status, answer.headers['retry-after']]).toEqual(['provider-unavailable', 503, '5'])
  // Before the function's 10 s.
  expect(performance.now() - started).toBeLessThan(9000)
})

testAfterAttack(target)
