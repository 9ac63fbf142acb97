import middy from '@middy/core'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type * as v from 'valibot'
import type { AccountReads, Prove } from '../accounts/account/account.ts'
import type { Browser } from '../accounts/application/browser-session.ts'
import type { ClientProof } from '../accounts/application/client-authentication.ts'
import type { ownerProof, SentProof } from '../accounts/login/proof.ts'
import type { ProofPurpose } from '../accounts/passkey/shapes.ts'
import type { Authenticated, authenticate } from '../accounts/token/authentication.ts'
import { answerTo, commonHeaders, problem } from '../shared/base/answer.ts'
import type { Configured } from '../shared/base/config.ts'
import { DomainError } from '../shared/base/errors.ts'
import type { Counters } from '../shared/base/limits/counters.ts'
import { countRequest, policyOf, rateLimitFields, tooMany } from '../shared/base/limits/request-limit.ts'
import { minute } from '../shared/base/limits/windows.ts'
import { logError } from '../shared/base/log.ts'
import type { System } from '../shared/base/system.ts'
import { bodies } from './bodies.ts'
import { type ParsingDeps, parsing, requireJson } from './body.ts'
import { bearerToken, clientKey, requireAllowedOrigin } from './caller.ts'
import type { Deps, Granted } from './deps.ts'
import { renewsToken } from './implied.ts'
import type { Exactly, Handler } from './lambda.ts'
import type { oauth } from './oauth.ts'
import type { ownPages } from './own-pages.ts'
import type { replies } from './replies.ts'
import { isUnsafe } from './route-keys.ts'
import { type EndpointName, type Route, routes, type ServedRow } from './routes.ts'
import type { RequestEvent, Response, Step } from './step.ts'

type Row<N extends EndpointName> = (typeof routes)[N]

/** The row of what an owner does with an access token and a proof. */
export type OwnerRow = { access: 'bearer'; checksPassword: true; takesPasskey: true }

/** What an endpoint's own code gets. */
type Request<N extends EndpointName> = {
  /** Parsed by the row's schema. */
  body: Row<N> extends { body: infer B extends NonNullable<Route['body']> }
    ? v.InferOutput<(typeof bodies)[B]>
    : undefined
  /** The caller's client address, in the form that limits count by. */
  clientAddress: string
  /** What the caller's browser says of its reader. */
  acceptLanguage: string | undefined
} & (Row<N> extends { access: 'bearer' } ? Authenticated : unknown) &
  (Row<N> extends OwnerRow ? { prove: Prove } : unknown) &
  (Row<N> extends { ownPages: true } ? { browser: Browser } : unknown) &
  (Row<N> extends { form: string } ? { oauth: ClientProof } : unknown)

/** The body of success, as the row states its shape: a member that the shape lacks does not compile. */
type Reply<N extends EndpointName> = v.InferOutput<(typeof replies)[Row<N>['reply'][1]]>

export type HttpHandler = Handler<APIGatewayProxyEventV2, Response>

/** An endpoint, which becomes a handler when it gets its parts of the outside world. */
export type Endpoint<D> = (deps: D) => HttpHandler

type Authenticate = typeof authenticate
type OwnerProof = typeof ownerProof
type OwnPages = typeof ownPages
type OAuth = typeof oauth

/** Code that few rows need. The functions of these pass it in, so other bundles drop it. */
type Special<N extends EndpointName> =
  Row<N> extends OwnerRow
    ? [authenticate: Authenticate, ownerProof: OwnerProof]
    : Row<N> extends { access: 'bearer' }
      ? [authenticate: Authenticate]
      : Row<N> extends { ownPages: true }
        ? [ownPages: OwnPages]
        : Row<N> extends { form: string }
          ? [oauth: OAuth]
          : []

/**
 * The one HTTP pipeline: check the origin, count, authenticate, parse, hand in the owner's proof, answer, render. Errors become
 * problem documents in one place.
 *
 * @param name the row in the route table, which says what of this applies
 * @param answer the endpoint's own code: it returns the body of success
 */
export function endpoint<N extends EndpointName, R extends Reply<N>>(
  name: N,
  answer: (request: Request<N>, deps: Granted<N>) => Promise<Exactly<Reply<N>, R>>,
  ...[special, ownerProof]: Special<N>
): Endpoint<Granted<N>> {
  const row: ServedRow = routes[name]

  return deps => {
    const steps: Step[] = [rendering(deps)]
    // The casts are safe: `needs.ts` grants these parts to every row that has the step, and an endpoint that needs `special` or
    // `ownerProof` does not compile without it. What own pages send has its cookie written after the answer is rendered: it comes first.
    if (row.ownPages) steps.unshift((special as OwnPages)())
    else if (isUnsafe(row)) steps.push(admitting(row, deps as unknown as AdmittingDeps))
    if (row.limit) steps.push(counting(name, row.limit, deps as unknown as CountingDeps))
    if (row.access === 'bearer') {
      steps.push(authenticating(special as Authenticate, row.scopes, deps as unknown as AuthenticatingDeps))
    }
    if (renewsToken(row)) steps.push(requiringVerification(deps as unknown as RenewingDeps))
    if (row.form) steps.push((special as OAuth)(deps as Granted<N> & AdmittingDeps))
    if (row.body) steps.push(parsing(bodies[row.body], deps as unknown as ParsingDeps))
    if (ownerProof) steps.push(proving(ownerProof, row, deps as unknown as ProvingDeps))

    // By default middy answers shortly before Lambda's time-out. Work that still runs could write afterwards.
    return middy<RequestEvent, Response>({ timeoutEarlyInMillis: 0 })
      .use(steps)
      .handler(async ({ json, authenticated, prove, browser, oauth, requestContext, headers }: RequestEvent) => {
        const clientAddress = clientKey(requestContext.http.sourceIp)
        const acceptLanguage = headers['accept-language']
        const request = {
          body: json,
          clientAddress,
          acceptLanguage,
          browser,
          oauth,
          prove,
          ...authenticated,
        } as Request<N>
        return {
          statusCode: row.reply[0] as number,
          headers: { ...commonHeaders, 'content-type': 'application/json' },
          body: JSON.stringify(await answer(request, deps)),
        }
      })
  }
}

/** Turns errors into problem documents. Adds last the headers that all answers of the route have. */
const rendering = (deps: Pick<System, 'log'>): Step => ({
  onError(request) {
    logError(deps, request.error)
    request.response = finish(request.event, problem(request.error))
  },
  after(request) {
    if (request.response) request.response = finish(request.event, request.response)
  },
})

const finish = ({ limitFields = {}, requestContext }: RequestEvent, response: Response): Response =>
  answerTo(requestContext.http.method, withLimitFields(limitFields, response))

/** The fields are lists (RFC 9651 §3.1): the route's own limit comes first, then one that the answer names. */
function withLimitFields(limitFields: Record<string, string>, response: Response): Response {
  const headers = { ...response.headers }
  for (const [name, value] of Object.entries(limitFields)) {
    headers[name] = headers[name] ? `${value}, ${headers[name]}` : value
  }
  return { ...response, headers }
}

/** What each row with an unsafe method is granted. */
export type AdmittingDeps = Configured<'corsOrigins'>

/**
 * Refuses what a page of another origin can send without asking its visitor or, by a preflight, this API. It comes before
 * counting: the visitor's client address is counted, and such a page must not use up its limits.
 */
const admitting = ({ body }: ServedRow, deps: AdmittingDeps): Step => ({
  before({ event }) {
    requireAllowedOrigin(deps, event)
    if (body) requireJson(event)
  },
})

/** What each row with a `limit` is granted. */
export type CountingDeps = Pick<Deps, 'now' | 'log'> &
  Configured<'rateLimits'> & { counters: Pick<Counters<'Requests'>, 'take'> }

/** Counts before the body is parsed, so that requests with an invalid body count too. */
const counting = (name: EndpointName, limit: number, deps: CountingDeps): Step => ({
  async before({ event }) {
    const policy = policyOf(deps, name, { limit, seconds: minute })
    if (policy === null) return
    const count = await countRequest(deps, name, policy, clientKey(event.requestContext.http.sourceIp))
    event.limitFields = rateLimitFields(count)
    if (!count.isRefused) return
    deps.log({ event: 'request-limited', reason: name })
    throw tooMany(`requests to ${name}`, count)
  },
})

/** What each `bearer` row is granted. */
export type AuthenticatingDeps = Pick<Deps, 'now' | 'publicKeys'> &
  Configured<'issuer' | 'secondFactor' | 'sessionDays' | 'sessionIdleDays' | 'tokenAudience' | 'tokensNotBefore'> & {
    accounts: AccountReads
  }

const authenticating = (authenticate: Authenticate, scopes: Route['scopes'], deps: AuthenticatingDeps): Step => ({
  async before({ event }) {
    event.authenticated = await authenticate(deps, bearerToken(event.headers.authorization), scopes)
  },
})

/** What each `bearer` row is granted that issues a token. */
export type RenewingDeps = Configured<'requireEmailVerification'>

/** Tokens from before the switch end by themselves; nobody turns one into another. */
const requiringVerification = ({ config }: RenewingDeps): Step => ({
  before({ event }) {
    if (config.requireEmailVerification && !event.authenticated?.account.isVerified)
      throw new DomainError('email-not-verified')
  },
})

/** What each row is granted that takes an owner's proof. */
export type ProvingDeps = Parameters<OwnerProof>[0]

/** Hands in the proof, which the rule asks for at its place in the order of refusals. */
const proving = (ownerProof: OwnerProof, { on }: ServedRow, deps: ProvingDeps): Step => ({
  before({ event }) {
    const { account } = event.authenticated as Authenticated
    const purpose = on.slice('POST /auth/'.length) as ProofPurpose
    const clientAddress = clientKey(event.requestContext.http.sourceIp)
    event.prove = ownerProof(deps, clientAddress, account, event.json as SentProof, purpose)
  },
})
