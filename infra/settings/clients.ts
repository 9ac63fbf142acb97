import * as v from 'valibot'
import { type Client, isClientId } from '../../accounts/application/client.ts'
import { arrayOf, Flag, isName, matching, type Stated } from './checks.ts'
import { clientAddress } from './client-addresses.ts'
import { type Members, readJsonList, stateEntry } from './json-list.ts'

const usual = { logouts: [], home: null, secrets: [], api: false, unverified: false, pkce: 'required' as const }

function membersOf({ secrets }: Stated): Members<Client> {
  const Address = clientAddress(secrets === undefined)
  return {
    id: matching(isClientId, 'must be 1 to 64 lower-case letters, digits and hyphens, and begin with no hyphen'),
    name: matching(text => isName(text, 60), 'must be 1 to 60 printable characters'),
    redirects: arrayOf(Address, 1, 20),
    logouts: arrayOf(Address, 0, 20),
    home: Address,
    // The complaint hides the value, which may be the secret itself.
    secrets: arrayOf(matching(isHash, notHash), 1, 2),
    api: Flag,
    unverified: Flag,
    pkce: secrets === undefined ? v.literal('required', 'is for applications with a secret') : Pkce,
  }
}

/** Only a secret can bind a code to its client in the place of PKCE. */
const Pkce = v.picklist(['required', 'optional'], 'must be "required" or "optional"')

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
const notHash = 'must be the SHA-256 of a secret in hexadecimal, as npm run clients -- new prints it'

/** Reads the list of applications. @returns the complaints by client and member, if it is not valid */
export const readClients = (text: string): readonly Client[] | string =>
  readJsonList(text, {
    ...{ noun: 'client', membersOf, usual },
    isId: id => typeof id === 'string',
    repeated: ({ id }, before) => (before.some(other => other.id === id) ? ['id is that of another client'] : []),
  })

/** A client in the setting's form. */
export const stateClient = (client: Client): Stated => stateEntry(client, usual)

/**
 * A line for each client whose id is the `aud` of access tokens, which its id tokens would pass for. The audiences of
 * our other tokens have a colon, which no id has.
 */
export const clashingIds = (clients: readonly Client[], audience: string): string[] =>
  clients.some(({ id }) => id === audience)
    ? [`OIDC_CLIENTS: ${audience}: id must not be that of access tokens, because TOKEN_AUDIENCE is '${audience}'`]
    : []
