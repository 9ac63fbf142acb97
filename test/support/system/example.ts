import { createHash } from 'node:crypto'

/** A code verifier. Its challenge is the nonce too. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const challenge = createHash('sha256').update(verifier).digest('base64url')

/** What `GET /auth/providers` says of one. */
interface Offered {
  id: string
  authorization_endpoint: string
  client_id: string
  scope: string
  redirect_uri: string
}

/** Visits the provider "Example" like a browser, with cookies of its own. */
export async function goToExample(provider: Offered) {
  const cookies = new Map<string, string>()
  const send = async (address: string, fields?: Record<string, string>) => {
    const answer = await fetch(new URL(address, provider.authorization_endpoint), {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(pair => pair.join('=')).join('; ') },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const { status, headers } = answer
    return { status, headers, location: headers.get('location') ?? '', html: await answer.text() }
  }
  const query = new URLSearchParams({
    ...{ client_id: provider.client_id, response_type: 'code', scope: provider.scope, state: 'the state' },
    ...{ redirect_uri: provider.redirect_uri, nonce: challenge },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  })
  /** The address of its form. */
  const start = async () => (await send(`${provider.authorization_endpoint}?${query}`)).location
  const form = await start()
  /** The form's target at this service. */
  const submit = async (fields: Record<string, string>, at = form) => {
    const { location } = await send(at, fields)
    return new URL((await send(location)).location)
  }
  /** The proof of the person with an address. */
  const proofOf = async (email: string) => {
    const back = (await submit({ email })).searchParams
    return {
      provider: provider.id,
      authorization_code: back.get('code') ?? '',
      code_verifier: verifier,
      iss: back.get('iss') ?? '',
    }
  }
  return { start, form, send, submit, proofOf }
}
