/** Values of `Cache-Control`. */
export const caching = {
  /** Nothing about accounts may be stored (OWASP ASVS 14.3.2). */
  never: 'no-store',
  /** For what is the same for everybody. A release or a new key shows up soon, and nothing must be invalidated. */
  fiveMinutes: 'public, max-age=300',
  /** What has its content's hash in its name: another content has another name (RFC 8246). A year is the longest used. */
  forever: 'public, max-age=31536000, immutable',
} as const
