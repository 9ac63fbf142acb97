/**
 * Who is calling: an IPv4 address, or an IPv6 address's /64, which is what one subscriber is given (RFC 6177 §2).
 * An IPv4-mapped address (RFC 4291 §2.5.5.2) is its IPv4 address.
 */
export function remoteKey(sourceIp: string): string {
  if (!sourceIp.includes(':')) return sourceIp
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(sourceIp)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = sourceIp.toLowerCase().split('::')
  const before = head.split(':').filter(group => group !== '')
  const after = tail === undefined ? [] : tail.split(':').filter(group => group !== '')
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map(group => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
