/**
 * An application of the operator's that logs people in by this service: a client (RFC 6749 §2), as the setting OIDC_CLIENTS
 * lists it.
 */
export interface Client {
  /** 1 to 64 of `[a-z0-9-]`: the `aud` of its id tokens. */
  id: string
  /** What people read of it. */
  name: string
  /** Where an authorization may lead. */
  redirects: readonly string[]
  /** Where a logout may lead. */
  logouts: readonly string[]
  /** Where it begins; null when links in mails do not lead there. */
  home: string | null
  /** SHA-256 of its secrets in hexadecimal: two while one is changed, none of a public client. */
  secrets: readonly string[]
  /** Whether its access tokens are for the operator's services too. */
  api: boolean
  /**
   * Whether people may log in to it whose address is not verified, whatever REQUIRE_EMAIL_VERIFICATION says. Applications
   * know people by their address, and do not look whether it is verified: else none may.
   */
  unverified: boolean
}

/** The file beside a bundle that has the clients. */
export const clientsFile = 'clients.json'

export const findClient = (clients: readonly Client[], id: string): Client | null =>
  clients.find(client => client.id === id) ?? null

/** The id of the application that sent a person, if it is listed: mails lead back to it. */
export const senderIn = (clients: readonly Client[], id = ''): string | undefined => findClient(clients, id)?.id

/** Whether it cannot keep a secret: an app, or a page (RFC 6749 §2.1). */
export const isPublic = ({ secrets }: Pick<Client, 'secrets'>): boolean => secrets.length === 0
