/** One of the operator's applications that log people in by this service: a client (RFC 6749 §2), listed in OIDC_CLIENTS. */
export interface Client {
  /** 1 to 64 of `[a-z0-9-]`: the `aud` of its id tokens. */
  id: string
  /** The name that people read. */
  name: string
  /** Addresses that an authorization may redirect to. */
  redirects: readonly string[]
  /** Addresses that a logout may redirect to. */
  logouts: readonly string[]
  /** Its start page; null when links in mails do not lead there. */
  home: string | null
  /** SHA-256 of its secrets in hexadecimal: two during a rotation, none for a public client. */
  secrets: readonly string[]
  /** Whether the operator's services take its access tokens too. */
  api: boolean
  /**
   * Whether unverified people may log in to it, whatever REQUIRE_EMAIL_VERIFICATION says. False by default:
   * applications identify people by their address without looking whether it is verified.
   */
  unverified: boolean
  /** Whether its requests may leave PKCE out. Only a client with a secret may, which then binds the code to it. */
  pkce: 'required' | 'optional'
}

/** The file with the clients, beside a bundle. */
export const clientsFile = 'clients.json'

export const findClient = (clients: readonly Client[], id: string): Client | null =>
  clients.find(client => client.id === id) ?? null

/** The id of the application that sent a person, if it is listed: mails link back to it. */
export const senderIn = (clients: readonly Client[], id = ''): string | undefined => findClient(clients, id)?.id

/** Whether a text can be a client's id. */
export const isClientId = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,63}$/.test(text)

/** Whether it cannot keep a secret: an app, or a page (RFC 6749 §2.1). */
export const isPublic = ({ secrets }: Pick<Client, 'secrets'>): boolean => secrets.length === 0
