import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { toGitHubProvider } from '../../../accounts/identity/github.ts'
import type { GitHubProvider, OfferedProvider } from '../../../accounts/identity/provider.ts'
import { serve } from '../web-server.ts'
import { challengeOf, encryptedFor } from './lying-provider.ts'

/** A person at GitHub, as `GET /user` and `GET /user/emails` show them. */
interface Person {
  user: unknown
  emails: unknown
}

export const octocat = {
  user: { login: 'octocat', id: 583231, name: 'The Octocat', email: null },
  emails: [
    { email: 'octocat@users.noreply.github.com', verified: true, primary: false, visibility: null },
    { email: 'Octocat@Example.com', verified: true, primary: true, visibility: 'private' },
  ],
}

export interface GitHub extends AsyncDisposable {
  /** Its entry, as the list has it under `npm start`. */
  provider: OfferedProvider<GitHubProvider>
  person: Person
  /** Answers of paths that take the place of its own: status and body. */
  lies: Record<string, readonly [number, unknown]>
  heard: { path: string; headers: IncomingMessage['headers']; form: Record<string, string> }[]
  /** Called before a path is answered. */
  before(path: string): Promise<void>
  /** Logs the person in, whose browser keeps the verifier. @returns the code */
  authorize(verifier: string): string
}

/** Stands in for GitHub, which answers as its documentation of November 2026 says: refusals of codes with 200, and calls without a name with 403. */
export async function startGitHub(): Promise<GitHub> {
  const codes = new Map<string, string>()
  const tokens = new Set<string>()
  const draw = (prefix: string) => `${prefix}${randomBytes(10).toString('hex')}`
  const redeem = ({ client_id, client_secret, code = '', code_verifier = '' }: Record<string, string>) => {
    if (client_id !== provider.clientId || client_secret !== 's3cret') return { error: 'incorrect_client_credentials' }
    const challenge = codes.get(code)
    codes.delete(code)
    if (challenge !== challengeOf(code_verifier))
      return { error: 'bad_verification_code', error_description: 'Expired.' }
    const access_token = draw('gho_')
    tokens.add(access_token)
    return { access_token, scope: 'user:email', token_type: 'bearer' }
  }
  const server = await serve(async (request, response) => {
    const { url: path = '', headers } = request
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    github.heard.push({ path, headers, form })
    await github.before(path)
    const isKnown = tokens.has(headers.authorization?.replace('Bearer ', '') ?? '')
    const asked = () => {
      if (!headers['user-agent']) return [403, 'Request forbidden by administrative rules.'] as const
      return isKnown ? ([200, github.person[path === '/user' ? 'user' : 'emails']] as const) : ([401, {}] as const)
    }
    const isToken = path === '/login/oauth/access_token' && headers.accept === 'application/json'
    const own = isToken ? ([200, redeem(form)] as const) : path.startsWith('/user') ? asked() : ([404, {}] as const)
    const [status, body] = github.lies[path] ?? own
    response.writeHead(status, { 'content-type': 'application/json', location: '/user' }).end(JSON.stringify(body))
  })
  const provider = {
    ...toGitHubProvider({
      ...{ id: 'github', name: 'GitHub', github: server.url, clientId: 'Ov23li', redirects: [] },
      secret: encryptedFor('github', 's3cret'),
    }),
    secret: encryptedFor('github', 's3cret'),
  }
  const github: GitHub = {
    provider,
    person: octocat,
    lies: {},
    heard: [],
    before: async () => {},
    authorize(verifier) {
      const code = draw('')
      codes.set(code, challengeOf(verifier))
      return code
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
  return github
}
