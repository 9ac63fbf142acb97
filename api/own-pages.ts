import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { DomainError } from '../shared/base/errors.ts'
import { requireJson } from './body.ts'
import { hostOf } from './caller.ts'
import type { RequestEvent, Step } from './step.ts'

/**
 * No other host can set a cookie of this name, and it is never sent in the clear (RFC 6265bis §4.1.3.2). `Strict`
 * withholds it from requests of other sites; pages of the same site are refused below.
 */
const cookieName = '__Host-gatehouse'
const write = (value: string, seconds: number): string =>
  `${cookieName}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${seconds}`

/**
 * The step of rows that only this service's own pages send: checks the sender, reads the cookie, and sets it on the
 * rendered answer, also on a refusal.
 */
export const ownPages = (): Step => {
  const written = new WeakMap<RequestEvent, string>()
  const finish: Step['after'] = ({ event, response }) => {
    const cookie = written.get(event)
    if (response && cookie !== undefined) response.cookies = [cookie]
  }
  return {
    before({ event }) {
      const { cookies = [], headers } = event
      const isOwn = isFromOwnPage(headers)
      if (!isOwn && !isFromProgram(headers)) throw new DomainError('origin-not-allowed')
      requireJson(event)
      event.browser = {
        token: isOwn ? valueIn(cookies) : null,
        keep: (token, seconds) => written.set(event, write(token, seconds)),
        clear: () => written.set(event, write('', 0)),
      }
    },
    after: finish,
    onError: finish,
  }
}

type Headers = APIGatewayProxyEventV2['headers']

/** Whether a page of the same origin sent it: sibling subdomains are of the same site, and their requests carry the cookie. */
const isFromOwnPage = ({ origin, host, 'sec-fetch-site': site }: Headers): boolean =>
  site === undefined ? origin !== undefined && hostOf(origin) === host : site === 'same-origin'

/** Whether no page can have sent it: programs send neither header, and every browser sends one with a POST. */
const isFromProgram = ({ origin, 'sec-fetch-site': site = 'none' }: Headers): boolean =>
  origin === undefined && site === 'none'

/** Null for none, and for several, of which this service may have set any. */
function valueIn(cookies: readonly string[]): string | null {
  const [cookie, ...others] = cookies.filter(each => each.startsWith(`${cookieName}=`))
  return cookie === undefined || others.length > 0 ? null : cookie.slice(cookieName.length + 1)
}
