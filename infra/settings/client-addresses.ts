import * as v from 'valibot'
import { authorityOf, hasHost, quoting } from './checks.ts'

/**
 * An address of a client. The service compares addresses as text, so each must be spelled as applications send it.
 *
 * @param isPublic apps of a public client may use the loopback interface, or claim a scheme
 */
export const clientAddress = (isPublic: boolean) =>
  v.pipe(
    v.string(({ input }) => `must be an address, not ${JSON.stringify(input)}`),
    quoting(text => wrongPlace(text, isPublic)),
  )

function wrongPlace(text: string, isPublic: boolean): string | null {
  if (/[^\x21-\x7e]/.test(text)) return 'has a character that is not printable ASCII'
  if (text.includes('#')) return 'has a fragment'
  if (text.includes('*')) return 'has a *: each address is listed'
  if (text.includes('\\')) return 'has a backslash'
  const [, scheme = ''] = /^([^:/?]+):/.exec(text) ?? []
  const authority = authorityOf(text)
  if (scheme === '') return 'is not an address with a scheme'
  if (authority.includes('@')) return 'has user information'
  if (/[A-Z]/.test(scheme + authority)) return 'has capitals in its scheme or host'
  if (scheme === 'https') return hasHost(text, ':443') ? null : 'has no valid host'
  if (scheme === 'http') return wrongLoopback(text, isPublic)
  // RFC 8252 §7.1: a DNS name of the app's owner, reversed.
  if (!/^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/.test(scheme)) return 'is neither https nor has a scheme with a dot'
  if (!isPublic) return 'has a scheme of an app, which only public clients have'
  return text.startsWith(`${scheme}:/`) ? null : `must begin with ${scheme}:/`
}

/** RFC 8252 §7.3: the system gives an app its port. A name, unlike a literal, may resolve to another host (§8.3). */
function wrongLoopback(text: string, isPublic: boolean): string | null {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(authorityOf(text)) ?? []
  if (host === 'localhost' && port === undefined) return 'needs a port: http://localhost:<port>'
  if (host === 'localhost') return hasHost(text, ':80') ? null : 'has no valid port'
  if (host !== '127.0.0.1' && host !== '[::1]')
    return 'is http, which only http://127.0.0.1, http://[::1] and http://localhost:<port> may be'
  if (!isPublic) return 'is for public clients: use http://localhost:<port>'
  return port === undefined ? null : 'has a port: it is listed without one, and good with any'
}
