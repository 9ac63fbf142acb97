import type { IncomingMessage } from 'node:http'

/** `uri-host [ ":" port ]` (RFC 9110 §7.2): a name, an IPv4 address, or an IPv6 address in brackets (RFC 3986 §3.2.2). */
const host = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?$/i

/** A target in absolute form names a host too (RFC 9112 §3.2.2). */
const absolute = /^https?:\/\/([^/?#]*)/i

/**
 * Whether a request names a host, and one alone: any other is answered 400 (RFC 9112 §3.2). API Gateway knows its APIs by
 * their hosts, and so refuses an empty one as well. One without the field gets no further than Node's parser, but in
 * HTTP/1.0, which may do without.
 */
export function namesHost({ url = '', headersDistinct }: Pick<IncomingMessage, 'url' | 'headersDistinct'>): boolean {
  const fields = headersDistinct.host ?? []
  const [, target] = absolute.exec(url) ?? []
  return fields.length < 2 && [...fields, ...(target === undefined ? [] : [target])].every(name => host.test(name))
}
