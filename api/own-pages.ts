import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { DomainError } from '../shared/base/errors.ts'
import { requireJson } from './body.ts'
import { hostOf } from './caller.ts'
import type { RequestEvent, Step } from './step.ts'

/**
 * No other host can set a cookie of this name, and none is sent in the clear (RFC 6265bis §4.1.3.2). `Strict` keeps it
 * from all that other sites cause, but not from pages of the same site: what `admit` does is for those.
 */
const cookieName = '__Host-gatehouse'
const write = (value: string, seconds: number): string =>
  `${cookieName}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${seconds}`

/**
 * The step of rows that only this service's own pages send. It admits, reads the cookie, and writes it on the rendered
 * answer, a refusal too.
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

/** Whether a page of the same origin sent it: a sibling subdomain is of the same site, and its requests carry the cookie. */
const isFromOwnPage = ({ origin, host, 'sec-fetch-site': site }: Headers): boolean =>
  site === undefined ? origin !== undefined && hostOf(origin) === host : site === 'same-origin'

/** Whether no page can have sent it: programs send neither, and no browser withholds both from a POST. */
const isFromProgram = ({ origin, 'sec-fetch-site': site = 'none' }: Headers): boolean =>
  origin === undefined && site === 'none'

/** Null for none, and for several: it cannot be known which of them this service set. */
function valueIn(cookies: readonly string[]): string | null {
  const [cookie, ...others] = cookies.filter(each => each.startsWith(`${cookieName}=`))
  return cookie === undefined || others.length > 0 ? null : cookie.slice(cookieName.length + 1)
}
