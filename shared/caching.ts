/** Values of `Cache-Control`. */
export const caching = {
  /** About accounts nothing is to be kept (OWASP ASVS 14.3.2). */
  never: 'no-store',
  /** What is the same for everybody: a release, or a new key, is seen everywhere soon, with nothing to invalidate. */
  fiveMinutes: 'public, max-age=300',
  /** What has its content's hash in its name: another content has another name (RFC 8246). A year is the longest used. */
  forever: 'public, max-age=31536000, immutable',
} as const
