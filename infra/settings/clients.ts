import type { Client } from '../../accounts/application/client.ts'
import { isName } from './checks.ts'
import { wrongAddress } from './client-addresses.ts'
import { type Members, readJsonList, type Unchecked } from './json-list.ts'

/** A client as OIDC_CLIENTS states it. */
type Stated = Pick<Client, 'id' | 'name' | 'redirects'> & Partial<Client>

const members: Members<Stated> = {
  id: value =>
    typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(value)
      ? null
      : 'must be 1 to 64 lower-case letters, digits and hyphens, and begin with no hyphen',
  name: value => (typeof value === 'string' && isName(value, 60) ? null : 'must be 1 to 60 printable characters'),
  redirects: (value, entry) => wrongList(value, [1, 20], each => wrongAddress(each, isPublic(entry))),
  logouts: (value = [], entry) => wrongList(value, [0, 20], each => wrongAddress(each, isPublic(entry))),
  home: (value, entry) => (value === undefined ? null : wrongAddress(value, isPublic(entry))),
  secrets: value => (value === undefined ? null : wrongList(value, [1, 2], wrongHash)),
  api: value => wrongFlag(value),
  unverified: value => wrongFlag(value),
}

const isPublic = ({ secrets }: Unchecked<Stated>): boolean => secrets === undefined

/** Reads the list of applications. @returns what is wrong with it, by client and member, if it is not valid */
export function readClients(text: string): readonly Client[] | string {
  const entries = readJsonList<Stated>(text, {
    noun: 'client',
    isId: id => typeof id === 'string',
    members,
    repeated: ({ id }, before) => (before.some(other => other.id === id) ? ['id is that of another client'] : []),
  })
  return typeof entries === 'string' ? entries : entries.map(toClient)
}

/**
 * A line for each client whose id is the `aud` of access tokens: its id tokens would pass for those. The audiences of our
 * other tokens have a colon, which no id has.
 */
export const clashingIds = (clients: readonly Client[], tokenAudience: string): string[] =>
  clients
    .filter(({ id }) => id === tokenAudience)
    .map(
      ({ id }) =>
        `OIDC_CLIENTS: ${id}: id must not be that of access tokens, because TOKEN_AUDIENCE is '${tokenAudience}'`,
    )

function wrongList(
  value: unknown,
  [least, most]: [number, number],
  wrongItem: (item: unknown) => string | null,
): string | null {
  if (!Array.isArray(value) || value.length < least || value.length > most)
    return `must be an array of ${least} to ${most}`
  const wrong = value.flatMap(item => wrongItem(item) ?? [])
  if (wrong.length > 0) return wrong.join(', ')
  return new Set(value).size < value.length ? 'has one twice' : null
}

/** Not shown: it may be the secret itself. */
const wrongHash = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
    ? null
    : 'must be the SHA-256 of a secret in hexadecimal, as npm run clients -- new prints it'

const wrongFlag = (value: unknown): string | null =>
  value === undefined || typeof value === 'boolean' ? null : 'must be true or false'

/** A valid entry with all its members. */
const toClient = ({ id, name, redirects, logouts, home, secrets, api, unverified }: Stated): Client => ({
  id,
  name,
  redirects,
  logouts: logouts ?? [],
  home: home ?? null,
  secrets: secrets ?? [],
  api: api ?? false,
  unverified: unverified ?? false,
})
