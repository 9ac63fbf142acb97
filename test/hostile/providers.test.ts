import { randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { statementOf } from '../../infra/settings/provider-members.ts'
import { issueToken } from '../support/attack/access-token.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import type { Answer } from '../support/attack/raw-request.ts'
import { type Person, startTarget } from '../support/attack/target.ts'
import { challengeOf, type Lies, type LyingProvider, startLyingProvider } from '../support/service/lying-provider.ts'
import { keyOf } from '../support/system/operator.ts'
import { listedIn } from '../support/system/providers.ts'
import { serve } from '../support/web-server.ts'

/**
 * Attacks by providers, and by people between them and the running system. All providers are listed, and the operator
 * trusts none with others' people.
 */

const now = () => new Date()
const honest = await startLyingProvider(now, { id: 'honest', name: 'Honest', secret: 'the-secret-at-the-honest-one' })
const evil = await startLyingProvider(now, { id: 'evil', name: 'Evil', secret: 'the-secret-at-the-evil-one' })
const liars = [honest, evil]
const usual = liars.map(({ key, published }) => ({ key, published }))
const listed = liars.map(({ provider }) => provider)
const target = startTarget(
  async directory => {
    const list = await listedIn(directory, listed)
    const [{ secret: copied }] = JSON.parse(list)
    const [{ secret: foreign }] = JSON.parse(await listedIn(`${directory}-elsewhere`, listed))
    const wrong = Object.entries({ copied, foreign }).map(([id, secret]) => ({
      ...statementOf(honest.provider),
      ...{ id, secret, issuer: `${honest.provider.issuer}/${id}` },
    }))
    return { SIGN_IN_PROVIDERS: JSON.stringify([...JSON.parse(list), ...wrong]) }
  },
  { concurrency: 8 },
)
const { expectRefused } = issueToken(target)
for (const { secret } of listed) target.secrets.add(secret)
afterEach(() => {
  for (const [i, liar] of liars.entries()) Object.assign(liar, { lies: {}, token: null, exchanges: [], ...usual[i] })
})
afterAll(async () => {
  for (const liar of liars) await liar[Symbol.asyncDispose]()
})

/** A browser's secret, or a subject of a provider. */
function drawn(): string {
  const text = randomBytes(32).toString('base64url')
  target.secrets.add(text)
  return text
}

/** A return from a provider. @param claims about the person */
function trip(liar: LyingProvider, claims: Record<string, unknown> = {}) {
  const code_verifier = drawn()
  const authorization_code = liar.authorize(code_verifier, { sub: drawn(), ...claims })
  return { provider: liar.provider.id, authorization_code, code_verifier }
}
const logIn = (proof: object): Promise<Answer> => target.post('/auth/provider-login', proof)
const outcome = ({ status, body }: Answer) => (status < 400 ? status : body.code)

/** A person at the honest provider with an account here. @returns the claims, and the account's id */
async function newcomer() {
  const claims = { sub: drawn(), email: target.person().email, email_verified: true }
  const { status, body } = await logIn(trip(honest, claims))
  expect(status).toBe(200)
  target.secrets.add(body.access_token)
  return { claims, id: decodeJwt(body.access_token).sub }
}
const subjectIn = ({ body }: Answer) => decodeJwt(body.access_token).sub

/** The accounts with an identity, and those to which its entries lead. */
async function holders(subject: string) {
  const items = await target.users.all()
  const accounts = items.filter(({ identities }) =>
    Object.values((identities ?? {}) as Record<string, { subject: string }>).some(held => held.subject === subject),
  )
  const keys = accounts.flatMap(({ identities }) => Object.keys(identities as object))
  const entries = await target.users.entries()
  const led = keys.flatMap(key => entries[keyOf('Identities', key)] ?? [])
  return { accounts: accounts.map(({ id }) => id), led }
}

describe('mix-up: the code of one provider comes back as another one’s', () => {
  test('with the issuer that it came from, it is shown to nobody', async () => {
    const { claims } = await newcomer()
    const proof = { ...trip(honest, claims), iss: honest.provider.issuer }
    honest.exchanges = []
    expect(outcome(await logIn({ ...proof, provider: 'evil' }))).toBe('provider-refused')
    expect([honest.exchanges, evil.exchanges]).toEqual([[], []])
    expect((await logIn(proof)).status).toBe(200)
  })

  test.each<[string, (nonce: string, claims: Record<string, unknown>) => void]>([
    [
      'the id token of the honest one, which the evil one has got',
      (nonce, claims) => {
        evil.lies = { answer: { body: { id_token: honest.idToken(nonce, claims) } } }
      },
    ],
    [
      'the same, with the keys of the honest one published as its own',
      (nonce, claims) => {
        evil.published = honest.published
        evil.lies = { answer: { body: { id_token: honest.idToken(nonce, claims) } } }
      },
    ],
    [
      'one that names the honest one as its issuer, by its own key',
      (nonce, claims) => {
        const id_token = evil.idToken(nonce, { ...claims, iss: honest.provider.issuer })
        evil.lies = { answer: { body: { id_token } } }
      },
    ],
    [
      'one for the client at the honest one',
      (nonce, claims) => {
        const id_token = honest.idToken(nonce, { ...claims, iss: evil.provider.issuer, aud: 'another-client' })
        evil.lies = { answer: { body: { id_token } } }
      },
    ],
  ])('without it, the evil one confirms nothing by %s', async (_, lie) => {
    const { claims } = await newcomer()
    const proof = trip(honest, claims)
    lie(challengeOf(proof.code_verifier), claims)
    expect(outcome(await logIn({ ...proof, provider: 'evil' }))).toBe('provider-refused')
  })

  test('the same subject at another provider is somebody else, with any address', async () => {
    const { claims, id } = await newcomer()
    expect(outcome(await logIn(trip(evil, claims)))).toBe('password-required')
    const other = await logIn(trip(evil, { ...claims, email: target.person().email }))
    expect(other.status).toBe(200)
    expect(subjectIn(other)).not.toBe(id)
  })
})

test.each<[string, (nonce: string) => Lies]>([
  ['another login', () => ({ claims: { nonce: challengeOf('w'.repeat(43)) } })],
  ['another client', () => ({ claims: { aud: 'another-client' } })],
  ['another client too', () => ({ claims: { aud: [honest.provider.clientId, 'another-client'] } })],
  ['another person, resigned by nobody', nonce => ({ sign: () => honest.idToken(nonce).split('.')[2] ?? '' })],
  ['nobody: unsigned', () => ({ header: { alg: 'none' }, sign: () => '' })],
])('an id token that is swapped for that of %s logs nobody in', async (_, lies) => {
  const { claims } = await newcomer()
  const proof = trip(honest, claims)
  honest.lies = lies(challengeOf(proof.code_verifier))
  expect(outcome(await logIn(proof))).toBe('provider-refused')
})

describe('a code', () => {
  test('that a thief injects into a browser of their own is refused, though the provider ignores PKCE', async () => {
    const { claims } = await newcomer()
    const { authorization_code } = trip(honest, claims)
    expect(outcome(await logIn({ ...trip(honest), authorization_code }))).toBe('provider-refused')
  })

  test('without its verifier, or with a challenge in its place, is refused', async () => {
    const { claims } = await newcomer()
    const { code_verifier, ...rest } = trip(honest, claims)
    expect(outcome(await logIn(rest))).toBe('invalid-body')
    expect(outcome(await logIn({ ...rest, code_verifier: challengeOf(code_verifier) }))).toBe('provider-refused')
  })

  test('that is replayed, fifty times at once, logs in once', async () => {
    const { claims, id } = await newcomer()
    const proof = trip(honest, claims)
    const answers = await Promise.all(Array.from({ length: 50 }, () => logIn(proof)))
    const good = answers.filter(({ status }) => status === 200)
    expect(good.map(subjectIn)).toEqual([id])
    expect(new Set(answers.filter(each => !good.includes(each)).map(outcome))).toEqual(new Set(['provider-refused']))
  })
})

test('fifty first logins of one person at once open one account, to which all lead', async () => {
  const claims = { sub: drawn(), email: target.person().email, email_verified: true }
  const answers = await Promise.all(Array.from({ length: 50 }, () => logIn(trip(honest, claims))))
  const good = answers.filter(({ status }) => status === 200)
  expect(answers.filter(each => !good.includes(each)).map(outcome)).toEqual([])
  const ids = [...new Set(good.map(subjectIn))]
  expect(await holders(claims.sub)).toEqual({ accounts: ids, led: ids })
  expect(ids).toHaveLength(1)
})

test('of accounts that connect one identity at once, one has it', async () => {
  for (let round = 0; round < 5; round++) {
    const people: Person[] = []
    for (let i = 0; i < 4; i++) people.push(await verified())
    const claims = { sub: drawn() }
    const answers = await Promise.all(people.map(person => logIn({ ...trip(honest, claims), ...person })))
    const outcomes = answers.map(outcome).sort()
    expect(outcomes).toEqual([200, 'provider-taken', 'provider-taken', 'provider-taken'])
    const winner = answers.filter(({ status }) => status === 200).map(subjectIn)
    expect(await holders(claims.sub)).toEqual({ accounts: winner, led: winner })
    expect(subjectIn(await logIn(trip(honest, claims)))).toBe(winner[0])
  }
})

async function verified(): Promise<Person> {
  const person = await target.register()
  const [token] = await target.mailed(person.email)
  await target.post('/auth/verify-email', { token })
  return person
}

describe('what stands for a confirmation', () => {
  /** A person whose address has an account already, and the token that the refusal carries. */
  async function refused() {
    const person = await verified()
    const claims = { sub: drawn(), email: person.email, email_verified: true }
    const { body } = await logIn(trip(honest, claims))
    expect(body.code).toBe('password-required')
    target.secrets.add(body.provider_token)
    return { person, claims, provider_token: body.provider_token as string }
  }

  test('is no access token anywhere', async () => {
    await expectRefused((await refused()).provider_token)
  })

  test('no other token of ours is one', async () => {
    const person = await verified()
    const token = await target.logIn(person)
    expect(outcome(await logIn({ provider_token: token, ...person }))).toBe('invalid-provider-token')
  })

  test('connects once, however often it is sent at once, and does not log in after that', async () => {
    const { person, claims, provider_token } = await refused()
    const answers = await Promise.all(Array.from({ length: 10 }, () => logIn({ provider_token, ...person })))
    const good = answers.filter(({ status }) => status === 200)
    expect(good).toHaveLength(1)
    expect(outcome(await logIn({ provider_token }))).toBe('invalid-provider-token')
    expect((await holders(claims.sub)).accounts).toEqual(good.map(subjectIn))
  })

  test('opens no account anew, once it was used and the account is deleted', async () => {
    const { person, claims, provider_token } = await refused()
    const { body } = await logIn({ provider_token, ...person })
    const authorization = `Bearer ${body.access_token}`
    const deleted = await target.post('/auth/delete-account', { password: person.password }, { authorization })
    expect(outcome(deleted)).toBe(200)
    expect(outcome(await logIn({ provider_token }))).toBe('invalid-provider-token')
    expect(await holders(claims.sub)).toEqual({ accounts: [], led: [] })
  })

  test('connects nothing by a wrong password', async () => {
    const { person, claims, provider_token } = await refused()
    const wrong = { provider_token, email: person.email, password: 'not the password' }
    expect(outcome(await logIn(wrong))).toBe('bad-credentials')
    expect((await holders(claims.sub)).accounts).toEqual([])
    expect((await logIn({ provider_token, ...person })).status).toBe(200)
  })
})

test.each(['copied', 'foreign'])(
  'a secret that is %s, from another entry or another key, is shown to nobody',
  async provider => {
    const answer = await logIn({ ...trip(honest), provider })
    expect([outcome(answer), honest.exchanges]).toEqual(['provider-unavailable', []])
    const events = target.logs.flatMap(({ line }) => JSON.parse(line).message ?? [])
    expect(events).toContainEqual({ event: 'provider-misconfigured', provider, reason: 'secret' })
  },
)

describe('a provider that', () => {
  const unanswered = async () => {
    const started = performance.now()
    const answer = await logIn(trip(honest))
    expect([outcome(answer), answer.status, answer.headers['retry-after']]).toEqual(['provider-unavailable', 503, '5'])
    // Before the function's 10 s.
    expect(performance.now() - started).toBeLessThan(9000)
  }

  test('is silent', async () => {
    honest.token = () => {}
    await unanswered()
  })

  test('hangs up', async () => {
    honest.token = (_, response) => response.destroy()
    await unanswered()
  })

  test('answers a byte at a time', async () => {
    honest.token = (_, response) => {
      const more = setInterval(() => response.write(' '), 100)
      response.on('close', () => clearInterval(more))
    }
    await unanswered()
  })

  test('answers without end', async () => {
    honest.token = (_, response) => {
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
    honest.token = (_, response) => response.writeHead(307, { location: elsewhere.url }).end()
    await unanswered()
    expect(calls).toBe(0)
  })

  test('names keys elsewhere in its id tokens, which nobody calls', async () => {
    let calls = 0
    await using elsewhere = await serve((_, response) => {
      calls++
      response.end()
    })
    honest.lies = { header: { jku: elsewhere.url, x5u: elsewhere.url, kid: 'of-another' } }
    expect(outcome(await logIn(trip(honest)))).toBe('provider-refused')
    expect(calls).toBe(0)
  })
})

testAfterAttack(target)
