import type { IncomingMessage } from 'node:http'

/** `uri-host [ ":" port ]` (RFC 9110 §7.2): a name, an IPv4 address, or an IPv6 address in brackets (RFC 3986 §3.2.2). */
const host = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?$/i

/** A request target in absolute form also names a host (RFC 9112 §3.2.2). */
const absolute = /^https?:\/\/([^/?#]*)/i

/**
 * Whether a request names exactly one host; any other is answered with 400 (RFC 9112 §3.2). API Gateway finds APIs by
 * host, so it also refuses an empty one. Node's parser already refuses HTTP/1.1 requests without the field; in HTTP/1.0 it
 * is optional.
 */
export function namesHost({ url = '', headersDistinct }: Pick<IncomingMessage, 'url' | 'headersDistinct'>): boolean {
  const fields = headersDistinct.host ?? []
  const [, target] = absolute.exec(url) ?? []
  return fields.length < 2 && [...fields, ...(target === undefined ? [] : [target])].every(name => host.test(name))
}
