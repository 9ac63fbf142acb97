import * as v from 'valibot'
import { absent, type ExamplesOf, has, type MeaningsOf, moment, Text } from '../../shared/base/shapes.ts'
import { changeKinds } from '../change/change.ts'
import { proven } from '../passkey/shapes.ts'
import { GivenPassword } from '../password/password.ts'

/** RFC 7636 §4.1: 43 to 128 unreserved characters. */
export const codeVerifierForm = /^[\w.~-]{43,128}$/

/** What a callback brought, and the verifier that the browser kept for it. */
const byCode = {
  provider: Text,
  /** RFC 6749 §A.11 sets no length. */
  authorization_code: v.pipe(Text, v.regex(/^[!-~]{1,2048}$/, 'must be 1 to 2048 visible ASCII characters')),
  code_verifier: v.pipe(Text, v.regex(codeVerifierForm, 'must be a code verifier (RFC 7636, section 4.1)')),
  redirect_uri: v.optional(Text),
  iss: v.optional(Text),
}

/** What stands for a confirmation, after a refusal. Any text: a malformed token is one that does not work. */
const byToken = { provider_token: Text }

/** A proof of a provider's. */
export const proofEntries = { ...v.partial(v.object({ ...byCode, ...byToken })).entries }
export type ProofMember = keyof typeof proofEntries

export const proofMembers = Object.keys(proofEntries) as readonly ProofMember[]

type ByCode = v.InferOutput<v.ObjectSchema<typeof byCode, undefined>>
type ByToken = v.InferOutput<v.ObjectSchema<typeof byToken, undefined>>
export type ProviderProof =
  | (ByCode & { [M in keyof ByToken]?: undefined })
  | (ByToken & { [M in keyof ByCode]?: undefined })

/** The members of the proof that a body has: one of the two kinds, and nothing of the other. */
export const entriesFor = (value: unknown): v.ObjectEntries =>
  has(value, 'provider_token')
    ? { ...absent(Object.keys(byCode), 'provider_token'), ...byToken }
    : { ...byCode, ...absent(Object.keys(byToken), 'provider') }

/** Its bodies by name, for the route table. */
export const bodies = { DisconnectProviderRequest: proven({ id: Text }, { password: GivenPassword }) } as const

/** Its answers, members in the contract's order. A function, so that bundles drop the schemas. */
export function defineAnswers() {
  const ProviderEntry = v.strictObject({
    id: v.string(),
    /** What people read of it. */
    name: v.string(),
    authorization_endpoint: v.string(),
    client_id: v.string(),
    scope: v.string(),
    response_mode: v.picklist(['query', 'form_post']),
    /** That of our own page. */
    redirect_uri: v.string(),
  })
  /** The other providers by which people log in. */
  const ProviderList = v.strictObject({ providers: v.array(ProviderEntry) })
  const SignInMethod = v.strictObject({
    id: v.string(),
    /** The provider's id; null where none of that issuer is listed any more. */
    provider: v.nullable(v.string()),
    /** The address that the provider had proven when it was connected. */
    email: v.nullable(v.string()),
    connected_at: moment(),
  })
  const RecentChange = v.strictObject({ kind: v.picklist(changeKinds), at: moment(), can_be_undone: v.boolean() })
  const SignInMethods = v.strictObject({
    has_password: v.boolean(),
    /** The oldest first. */
    providers: v.array(SignInMethod),
    /** Null where it is not known, or there is no password. */
    password_changed_at: v.nullable(moment()),
    /** Of the last seven days, the newest first. */
    changes: v.array(RecentChange),
  })
  return { replies: { ProviderList, SignInMethods }, parts: { ProviderEntry, SignInMethod, RecentChange } }
}
type Answers = ReturnType<typeof defineAnswers>
export type ProviderList = v.InferOutput<Answers['replies']['ProviderList']>
export type SignInMethods = v.InferOutput<Answers['replies']['SignInMethods']>

export const meanings: MeaningsOf<typeof bodies & Answers['replies'] & Answers['parts']> = {
  DisconnectProviderRequest: [
    'A provider that is disconnected, and the proof.',
    { id: 'The `id` of the way in, of `GET /auth/sign-in-methods`. An unknown one changes nothing.' },
  ],
  ProviderList: [
    'The other providers by which people log in, in the order of the setting.',
    { providers: 'At most six.' },
  ],
  ProviderEntry: [
    'A provider, and what to send people there with.',
    {
      id: 'Its name for programs: in `provider` of a login, and in the address of our page.',
      name: 'What people know it by.',
      authorization_endpoint: 'Where people go.',
      client_id: 'For the parameter of that name.',
      scope: 'Likewise.',
      response_mode: 'Likewise.',
      redirect_uri: 'That of our own page. A page of yours has one of its own, which the operator lists.',
    },
  ],
  SignInMethods: [
    'How the owner of an account logs in.',
    {
      has_password: 'False: a mailed link sets one (`forgot-password`).',
      providers: 'At most five, the oldest first.',
      password_changed_at:
        'When the password was last replaced; null where there is none, or it was not since the service keeps that.',
      changes: 'Those of which the owner was mailed in the last seven days, the newest first.',
    },
  ],
  SignInMethod: [
    'An account at a provider, by which its owner logs in.',
    {
      id: 'By which it is disconnected.',
      provider: "The provider's id; null where it is not listed any more.",
      email: 'The address that the provider had proven when it was connected; null for none.',
      connected_at: 'When it was connected.',
    },
  ],
  RecentChange: [
    'What was changed of an account.',
    {
      kind:
        '`email`: its address; `factor`, `passkey`, `provider`: one was added; `undone`: a change was undone; `moved-by-operator`: it has ' +
        'another address.',
      at: 'When it was changed (RFC 3339, UTC).',
      can_be_undone: 'Whether the link of the mail about it works still.',
    },
  ],
}

/** What the members of a provider's proof are in every body. */
export const memberMeanings = {
  provider: 'The id of the provider.',
  authorization_code: 'The `code` that came back from it.',
  code_verifier:
    'The code verifier (RFC 7636 §4.1) whose S256 challenge the provider was sent as `code_challenge` and as `nonce`.',
  redirect_uri: 'Where it came back to, if that is no page of ours: one that the operator has listed.',
  iss: 'The `iss` that came back, if it did (RFC 9207).',
  provider_token: 'That of the last refusal, in place of the others: it works for ten minutes, and until one success.',
}

export const memberExamples = {
  provider: 'example',
  authorization_code: 'SplxlOBeZQQYbYS6WxSbIA',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  redirect_uri: 'https://app.example.com/callback',
  iss: 'https://accounts.example.com',
  provider_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJhdWQiOiJnYXRlaG91c2U6cHJvdmlkZXIifQ.c2lnbmF0dXJl',
}

export const giveExamples = (): ExamplesOf<Answers['replies']> => ({
  ProviderList: {
    providers: [
      {
        id: 'example',
        name: 'Example',
        authorization_endpoint: 'https://accounts.example.com/authorize',
        client_id: 'gatehouse',
        scope: 'openid email profile',
        response_mode: 'query',
        redirect_uri: 'https://api.example.com/sign-in/example',
      },
    ],
  },
  SignInMethods: {
    has_password: true,
    providers: [
      {
        id: 'wLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXU',
        provider: 'example',
        email: 'ada@example.com',
        connected_at: '2026-03-01T12:00:00.000Z',
      },
    ],
    password_changed_at: '2026-02-01T12:00:00.000Z',
    changes: [{ kind: 'provider', at: '2026-03-01T12:00:00.000Z', can_be_undone: true }],
  },
})
