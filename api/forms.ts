import * as v from 'valibot'
import { refreshTokenExample } from './bodies.ts'

/**
 * The shapes of OAuth forms for the API's description. The domain parses the forms itself, and refuses them in the
 * order of the standard. No bundle holds these.
 */

/** A client's credentials, where it does not send them by HTTP Basic (RFC 6749 §2.3.1). */
const client = { client_id: v.optional(v.string()), client_secret: v.optional(v.string()) }

/** RFC 6749 §4.1.3 with RFC 7636 §4.5, and §6. */
const TokenRequest = v.object({
  grant_type: v.string(),
  code: v.optional(v.string()),
  redirect_uri: v.optional(v.string()),
  code_verifier: v.optional(v.string()),
  refresh_token: v.optional(v.string()),
  scope: v.optional(v.string()),
  ...client,
})

/** RFC 7009 §2.1. */
const RevocationRequest = v.object({ token: v.string(), token_type_hint: v.optional(v.string()), ...client })

/** Forms by name, for the route table. */
export const forms = { TokenRequest, RevocationRequest } as const

/** Examples of a public client. */
export const formExamples: { [F in keyof typeof forms]: v.InferOutput<(typeof forms)[F]> } = {
  TokenRequest: {
    grant_type: 'authorization_code',
    code: 'wLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXU',
    redirect_uri: 'http://127.0.0.1:8000/callback',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    client_id: 'sample',
  },
  RevocationRequest: { token: refreshTokenExample, client_id: 'sample' },
}
