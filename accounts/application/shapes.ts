import * as v from 'valibot'
import { absent, chosen, countCodePoints, has, Text } from '../../shared/base/shapes.ts'
import { Email } from '../address/shapes.ts'
import { entriesFor, type ProviderProof, proofEntries, proofMembers } from '../identity/shapes.ts'
import { type Connecting, connectingEntries } from '../login/shapes.ts'
import { Assertion, isAsserted, proven } from '../passkey/shapes.ts'
import { GivenPassword } from '../password/password.ts'

/** In code points. Longer addresses no browser sends. */
export const maxPageQuery = 8000

/** A query as it stands in the address bar, without `?`. */
export const PageQuery = v.pipe(
  Text,
  v.check(text => countCodePoints(text) <= maxPageQuery, `must be at most ${maxPageQuery} characters`),
)
const Confirmed = v.optional(v.boolean('must be true or false'), false)

const authorized = { request: PageQuery, stay: v.optional(v.boolean('must be true or false'), false) }
const byOwner = proven(authorized, { email: Email, password: GivenPassword })

/** What the owner types, an assertion, or what a provider has confirmed, beside which people may type. */
export const AuthorizeRequest = chosen<
  | (v.InferOutput<typeof byOwner> & { [M in keyof typeof proofEntries]?: undefined })
  | (v.InferOutput<v.ObjectSchema<typeof authorized, undefined>> &
      ProviderProof &
      Connecting & { assertion?: undefined }),
  typeof byOwner.entries & typeof proofEntries
>({ ...byOwner.entries, ...proofEntries }, value => {
  const isByProvider = proofMembers.some(name => has(value, name))
  if (!isByProvider) return byOwner
  if (!isAsserted(value)) return v.object({ ...authorized, ...entriesFor(value), ...connectingEntries(value) })
  const typed = absent(['email', 'password', 'code'], 'assertion')
  return v.object({ ...authorized, ...typed, assertion: Assertion, ...absent(proofMembers, 'assertion') })
})
export type AuthorizeRequest = v.InferOutput<typeof AuthorizeRequest>

export const ContinueRequest = v.object({ request: PageQuery, confirmed: Confirmed })
export type ContinueRequest = v.InferOutput<typeof ContinueRequest>
