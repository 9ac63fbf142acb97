/** The rows of the keys that sign tokens; `api/routes.ts` has their paths. */
export const rows = {
  'get-signing-keys': {
    function: 'signing-keys',
    summary: 'The public keys of access tokens (RFC 7517).',
    goal: 'tokens',
    reply: [200, 'KeySet'],
    refuses: ['unavailable'],
  },
} as const

/** Needs of functions that several paths share, or that no path names. */
export const functions = {
  'signing-keys': {
    summary: 'The public keys of access tokens (RFC 7517), and the part of a discovery document that verifiers read.',
    may: { SigningKeys: ['GetPublicKey'] },
    rarely: ['SigningKeys'],
    settings: ['BROWSER_URL', 'ISSUER', 'LANGUAGES', 'OIDC_CLIENTS', 'SESSION_DAYS'],
  },
} as const
