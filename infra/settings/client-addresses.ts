import { type Client, isPublic as isPublicClient } from '../../accounts/application/client.ts'

/** The scheme, what stands in the place of host and port, and the rest (RFC 3986 §3). */
const address = /^([^:/?#]+):(?:\/\/([^/?#]*))?(.*)$/

/**
 * What is wrong with an address of a client, or null. The service compares addresses as text, so each must be spelled as
 * applications send it.
 *
 * @param isPublic whether the client is public: its apps may listen on the loopback interface, or claim a scheme
 */
export function wrongAddress(text: unknown, isPublic: boolean): string | null {
  if (typeof text !== 'string') return `must be an address, not ${JSON.stringify(text)}`
  const wrong = wrongText(text) ?? wrongPlace(text, isPublic)
  return wrong && `${JSON.stringify(text)} ${wrong}`
}

function wrongText(text: string): string | null {
  if (!/^[\x21-\x7e]*$/.test(text)) return 'has a character that is not printable ASCII'
  if (text.includes('#')) return 'has a fragment'
  if (text.includes('*')) return 'has a *: each address is listed'
  if (text.includes('\\')) return 'has a backslash'
  return null
}

function wrongPlace(text: string, isPublic: boolean): string | null {
  const [, scheme = '', authority = ''] = address.exec(text) ?? []
  if (scheme === '') return 'is not an address with a scheme'
  if (authority.includes('@')) return 'has user information'
  if (/[A-Z]/.test(scheme + authority)) return 'has capitals in its scheme or host'
  if (scheme === 'https') return isHost(text, authority) ? null : 'has no valid host'
  if (scheme === 'http') return wrongLoopback(text, authority, isPublic)
  // RFC 8252 §7.1: a name that its owner has in the DNS, in reverse.
  if (!/^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/.test(scheme)) return 'is neither https nor has a scheme with a dot'
  if (!isPublic) return 'has a scheme of an app, which only public clients have'
  return text.startsWith(`${scheme}:/`) ? null : `must begin with ${scheme}:/`
}

/** RFC 8252 §7.3: an app listens on a port that the system gives it. A name, unlike a literal, may lead elsewhere (§8.3). */
function wrongLoopback(text: string, authority: string, isPublic: boolean): string | null {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(authority) ?? []
  if (host === 'localhost') {
    if (port === undefined) return 'needs a port: http://localhost:<port>'
    return isHost(text, authority) ? null : 'has no valid port'
  }
  if (host !== '127.0.0.1' && host !== '[::1]')
    return 'is http, which only http://127.0.0.1, http://[::1] and http://localhost:<port> may be'
  if (port !== undefined) return 'has a port: it is listed without one, and good with any'
  return isPublic ? null : 'is for public clients: use http://localhost:<port>'
}

/** Whether URLs are written with this host and port. Their own port may be left out. */
function isHost(text: string, authority: string): boolean {
  if (!URL.canParse(text)) return false
  const { host, hostname, protocol } = new URL(text)
  const usual = protocol === 'https:' ? ':443' : ':80'
  return hostname !== '' && (authority === host || authority === `${hostname}${usual}`)
}

/** The origins of a client's pages, if it is public: their scripts call the API. An app on the loopback interface has none. */
export const pageOrigins = (client: Client): string[] =>
  isPublicClient(client) ? [...new Set(client.redirects.filter(isOnPage).map(text => new URL(text).origin))] : []

const isOnPage = (text: string): boolean => text.startsWith('https:') || isOnLocalhost(text)

/** Whether an address leads to whatever listens on the port on the person's own machine. */
export const isOnLocalhost = (text: string): boolean => text.startsWith('http://localhost:')
