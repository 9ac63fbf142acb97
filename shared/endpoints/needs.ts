import {
  consumers,
  type FunctionName,
  type FunctionRow,
  type Grants,
  isUnsafe,
  type Route,
  routes,
  type UnsafeKey,
} from '../routes.ts'
import type { SettingName } from '../runtime/config.ts'

/** Everything that a function needs to do its work. */
export interface Needs {
  may: Grants
  settings: readonly SettingName[]
  /** Seconds. */
  timeout: number
  /** Megabytes. */
  memory: number
}

/** What a member of a row implies, so that no row repeats it. */
const implied = {
  /** It takes unsafe methods: the origin of the page that sends one is checked. */
  unsafe: { may: {}, settings: ['CORS_ORIGINS'] },
  /** Requests are counted. */
  limit: { may: { RateLimits: ['UpdateItem'] }, settings: ['RATE_LIMITS'] },
  /** The access token is verified, and its account read. */
  bearer: { may: { Users: ['GetItem'], SigningKeys: ['GetPublicKey'] }, settings: ['ISSUER', 'TOKEN_AUDIENCE'] },
  /** A password is hashed. */
  hashes: { may: {}, settings: ['BCRYPT_COST'] },
} as const satisfies Record<string, Pick<Needs, 'may' | 'settings'>>

type Implied = typeof implied

/** In seconds. A failing part of AWS takes 3 of them, and a hash at the highest cost 4 more. */
const requestTimeout = 10

/**
 * Megabytes. 1,769 MB buy one full vCPU (AWS Lambda, "Configure Lambda function memory"), which bcrypt uses completely.
 * For the others, 512 MB halve the cold start of the SDK against 256 MB.
 */
export const memory = { fullCpu: 1769, usual: 512 }

/** A row of either table. */
export type Row = FunctionRow & Partial<Route>

/** All functions: the rows of the route table, then the consumers. */
export const rows: Record<FunctionName, Row> = { ...routes, ...consumers }

export const functionNames = Object.keys(rows) as FunctionName[]

/** What a row needs: what its members imply, then what it states itself. */
export function needsOf(row: Row): Needs {
  const all: Pick<Needs, 'may' | 'settings'>[] = [
    ...(isUnsafe(row) ? [implied.unsafe] : []),
    ...(row.limit ? [implied.limit] : []),
    ...(row.access === 'bearer' ? [implied.bearer] : []),
    ...(row.hashes ? [implied.hashes] : []),
    { may: row.may ?? {}, settings: row.settings ?? [] },
  ]
  return {
    may: all.map(({ may }) => may).reduce(join),
    // Sorted, so that the template does not change when a setting becomes implied.
    settings: [...new Set(all.flatMap(({ settings }) => settings))].sort(),
    timeout: row.timeout ?? requestTimeout,
    memory: row.hashes ? memory.fullCpu : memory.usual,
  }
}

/** The functions that sign access tokens. The keys' policies allow nobody else to sign. */
export const signers = functionNames.filter(name => needsOf(rows[name]).may.SigningKey?.includes('Sign'))

function join(some: Grants, more: Grants): Grants {
  const joined: Record<string, readonly string[]> = { ...some }
  for (const [resource, actions] of Object.entries(more)) {
    joined[resource] = [...new Set([...(joined[resource] ?? []), ...actions])]
  }
  return joined as Grants
}

/** The same as types, so that a function gets what its row needs and nothing else. */
type RowOf<N extends FunctionName> = (typeof routes & typeof consumers)[N]
type TraitOf<R> =
  | (R extends { on: readonly (infer K)[] } ? ([Extract<K, UnsafeKey>] extends [never] ? never : 'unsafe') : never)
  | (R extends { limit: number } ? 'limit' : never)
  | (R extends { access: 'bearer' } ? 'bearer' : never)
  | (R extends { hashes: true } ? 'hashes' : never)
type OwnResource<R> = R extends { may: infer M } ? keyof M : never
type OwnSetting<R> = R extends { settings: readonly (infer S extends SettingName)[] } ? S : never

/** The resources that a function may touch. */
export type ResourceOf<N extends FunctionName> = OwnResource<RowOf<N> | Implied[TraitOf<RowOf<N>>]>

/** The settings that a function reads. */
export type SettingOf<N extends FunctionName> = OwnSetting<RowOf<N> | Implied[TraitOf<RowOf<N>>]>
