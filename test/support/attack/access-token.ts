import { type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import { rows } from '../../../api/needs.ts'
import type { EndpointName } from '../../../api/routes.ts'
import { fruitlessBody } from '../api/requests.ts'
import { bearerNames, requestLine } from '../api/rows.ts'
import type { Person, Target } from './target.ts'

interface Issued {
  person: Person
  /** A token that works, and its parts. */
  good: string
  header: Record<string, unknown>
  claims: Record<string, unknown>
  /** The service's own key, which never leaves KMS on AWS: with it a test can break one thing at a time. */
  ownKey: string
  publicJwk: JsonWebKey & { kid: string }
}

export const encode = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
export const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString())

/** An access token of the target, the means to forge another, and the required answer to every forgery. */
export function issueToken(target: Target) {
  const issued = {} as Issued
  beforeAll(async () => {
    const person = await target.register()
    const good = await target.logIn(person)
    const [header, claims] = good.split('.').slice(0, 2).map(decode)
    const ownKey = readFileSync(join(target.dataDirectory, 'keys', 'SigningKeyMain.pem'), 'utf8')
    target.secrets.add(ownKey)
    const [publicJwk] = (await target.send({ path: '/auth/.well-known/jwks.json' })).body.keys
    Object.assign(issued, { person, good, header, claims, ownKey, publicJwk })
  })

  /** RS256 by `key`, whatever the header says. */
  function signed(head: unknown, body: unknown, key: KeyObject | string = issued.ownKey): string {
    const input = `${encode(head)}.${encode(body)}`
    return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
  }

  const ask = (token: string, name: EndpointName = 'get-me') =>
    target.send({
      ...requestLine(name),
      headers: { authorization: `Bearer ${token}` },
      ...(rows[name].body && { body: fruitlessBody(name) }),
    })

  /** Reads of the users table on behalf of a token. */
  const reads = (): number =>
    target.system.calls
      .filter(({ caller, action }) => isBearer(caller) && action === 'dynamodb:GetItem')
      .reduce((sum, { count }) => sum + count, 0)

  /** Refused on every route, in the same words, and without a read of the table unless the signature was right. */
  async function expectRefused(token: string, readsAllowed = false): Promise<void> {
    const before = reads()
    for (const name of bearerNames) {
      const { status, body } = await ask(token, name)
      expect([status, body.code, body.detail], token).toEqual([401, 'invalid-access-token', 'Invalid or expired token'])
    }
    if (!readsAllowed) expect(reads()).toBe(before)
  }

  return { issued, signed, ask, expectRefused }
}

const isBearer = (name: string): boolean => (bearerNames as string[]).includes(name)
