/** Values of `Cache-Control`. */
export const caching = {
  /** About accounts nothing is to be kept (OWASP ASVS 14.3.2). */
  never: 'no-store',
  /** What is the same for everybody: a release, or a new key, is seen everywhere soon, with nothing to invalidate. */
  fiveMinutes: 'public, max-age=300',
} as const
