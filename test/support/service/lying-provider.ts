import { constants, createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ProviderSecrets } from '../../../accounts/identity/client-secret.ts'
import type { OfferedProvider, OpenIdProvider, Provider } from '../../../accounts/identity/provider.ts'
import type { Network } from '../../../shared/base/network.ts'
import { serve } from '../web-server.ts'

/** The keys and signatures of each algorithm. */
const algorithms = {
  RS256: [() => generateKeyPairSync('rsa', { modulusLength: 2048 }), (data, key) => sign('sha256', data, key)],
  PS256: [
    () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    (data, key) => sign('sha256', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }),
  ],
  ES256: [
    () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    (data, key) => sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }),
  ],
  EdDSA: [() => generateKeyPairSync('ed25519'), (data, key) => sign(null, data, key)],
} satisfies Record<
  string,
  [make: () => { publicKey: KeyObject; privateKey: KeyObject }, sign: (data: Buffer, key: KeyObject) => Buffer]
>
export type Algorithm = keyof typeof algorithms

export interface ProviderKey {
  algorithm: Algorithm
  privateKey: KeyObject
  /** In its published form. */
  jwk: Record<string, unknown>
}

export function makeKey(algorithm: Algorithm, kid: string): ProviderKey {
  const { publicKey, privateKey } = algorithms[algorithm][0]()
  return { algorithm, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' } }
}

/** A provider's lies and omissions. */
export interface Lies {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  /** Replaces the claims. */
  payload?: string | Uint8Array
  /** The signing key, if not the named one. */
  key?: ProviderKey
  /** Replaces the signature of a text. */
  sign?: (signed: string) => string
  /** Replaces the whole answer of the token endpoint. */
  answer?: { status?: number; body: unknown }
}

interface TokenRequest {
  method: string | undefined
  headers: IncomingHttpHeaders
  form: Record<string, string>
}

export interface LyingProvider extends AsyncDisposable {
  /** Its entry, as a list has it. */
  provider: OfferedProvider<OpenIdProvider>
  /** The key that signs, and those that are published. */
  key: ProviderKey
  published: unknown
  lies: Lies
  /** Replaces its endpoints. */
  token: RequestListener | null
  jwks: RequestListener | null
  /** Requests to the token endpoint. */
  exchanges: TokenRequest[]
  /** How many times the keys were fetched. */
  fetches: number
  /** Logs a person in, whose browser keeps a verifier. @param claims beside the usual ones @returns a code */
  authorize(verifier: string, claims?: Record<string, unknown>): string
  /** The person's id token. */
  idToken(nonce: string, claims?: Record<string, unknown>, lies?: Lies): string
}

const base64url = (part: string | Uint8Array): string => Buffer.from(part as Uint8Array).toString('base64url')

/** RFC 7636 §4.2. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** One for all tests of a file: keys of RSA take a moment. */
const usual = makeKey('ES256', 'usual')

/**
 * Starts a provider on a free port that answers as told. Its codes work once and for one client, with any verifier:
 * some providers ignore PKCE.
 */
export async function startLyingProvider(
  now: () => Date,
  entry: Partial<OfferedProvider<OpenIdProvider>> = {},
): Promise<LyingProvider> {
  const codes = new Map<string, { nonce: string; claims: Record<string, unknown> }>()
  let drawn = 0
  const server = await serve(async (request, response) => {
    const answer = (status: number, body: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body))
    if (request.url === '/keys') {
      told.fetches++
      return told.jwks ? told.jwks(request, response) : answer(200, told.published)
    }
    if (request.url !== '/token') return answer(404, '')
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    told.exchanges.push({ method: request.method, headers: request.headers, form })
    if (told.token) return told.token(request, response)
    if (told.lies.answer) return answer(told.lies.answer.status ?? 200, told.lies.answer.body)
    const granted = codes.get(form.code ?? '')
    codes.delete(form.code ?? '')
    if (!granted) return answer(400, { error: 'invalid_grant' })
    const id_token = told.idToken(granted.nonce, granted.claims, told.lies)
    return answer(200, { token_type: 'Bearer', access_token: 'unread', expires_in: 60, id_token })
  })
  const provider: OfferedProvider<OpenIdProvider> = {
    id: 'example',
    name: 'Example',
    issuer: server.url,
    authorizationEndpoint: `${server.url}/authorize`,
    tokenEndpoint: `${server.url}/token`,
    jwksUri: `${server.url}/keys`,
    clientId: 'gatehouse-at-example',
    secret: encryptedFor('example', 's3cret'),
    auth: 'post',
    email: 'claim',
    require: {},
    formPost: false,
    redirects: [],
    ...entry,
  }
  const told: LyingProvider = {
    provider,
    key: usual,
    published: { keys: [usual.jwk] },
    lies: {},
    token: null,
    jwks: null,
    exchanges: [],
    fetches: 0,
    authorize(verifier, claims = {}) {
      drawn += 1
      const code = `code-${drawn}`
      codes.set(code, { nonce: challengeOf(verifier), claims })
      return code
    },
    idToken(nonce, claims = {}, lies = {}) {
      const iat = Math.floor(now().getTime() / 1000)
      const usualClaims = {
        iss: provider.issuer,
        aud: provider.clientId,
        sub: '248289761001',
        iat,
        exp: iat + 3600,
        nonce,
      }
      const key = lies.key ?? told.key
      const header = { alg: key.algorithm, kid: told.key.jwk.kid, ...lies.header }
      const payload = lies.payload ?? JSON.stringify({ ...usualClaims, ...claims, ...lies.claims })
      const signed = `${base64url(JSON.stringify(header))}.${base64url(payload)}`
      const bySign = () => base64url(algorithms[key.algorithm][1](Buffer.from(signed), key.privateKey))
      return `${signed}.${lies.sign ? lies.sign(signed) : bySign()}`
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
  return told
}

/** Stands in for the key of the providers' secrets. */
export const encryptedFor = (id: string, secret: string): string => Buffer.from(`${id}:${secret}`).toString('base64')

export const providerSecrets: ProviderSecrets = {
  async decrypt(id, ciphertext) {
    const [owner, ...secret] = Buffer.from(ciphertext).toString().split(':')
    return owner === id ? Buffer.from(secret.join(':')) : null
  },
}

/** A network that calls only addresses of listed providers. @throws (by its calls) for any other */
export function listedNetwork(providers: () => readonly Provider[], network: Network): Network {
  const require = (url: string, addresses: string[]): void => {
    if (!addresses.includes(url)) throw new Error(`${url} is called, which is not listed`)
  }
  return {
    postForm(url, form, headers) {
      require(url, providers().map(({ tokenEndpoint }) => tokenEndpoint))
      return network.postForm(url, form, headers)
    },
    getJson(url, headers) {
      require(url, providers().flatMap(({ jwksUri, userUrl }) => jwksUri ?? [userUrl, `${userUrl}/emails`]))
      return network.getJson(url, headers)
    },
  }
}
