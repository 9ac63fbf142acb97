import type { SettingName } from '../shared/base/config.ts'
import type { ErrorCode } from '../shared/base/errors.ts'
import { type Grants, type Guard, guards } from '../shared/base/row.ts'
import { type ImpliedFor, impliedBy, type Row } from './implied.ts'
import { functionNames } from './route-keys.ts'
import { type FunctionName, functions, type Route, routes, type SharedRow } from './routes.ts'

/** Everything that a function needs to do its work. */
export interface Needs {
  may: Grants
  writes: readonly Guard[]
  settings: readonly SettingName[]
  /** Seconds. */
  timeout: number
  /** Megabytes. */
  memory: number
}

/** In seconds. A failing part of AWS takes 3 of them, and a hash at the highest cost 4 more. */
const requestTimeout = 10

/**
 * Megabytes. 1,769 MB buy one full vCPU (AWS Lambda, "Configure Lambda function memory"), which bcrypt uses completely.
 * For the others, 512 MB halve the cold start of the SDK against 256 MB.
 */
export const memory = { fullCpu: 1769, usual: 512 }

/** The row of each function. */
export const rows = Object.fromEntries(
  functionNames.map((name): [FunctionName, Row] => [name, { ...routes, ...functions }[name]]),
) as Record<FunctionName, Row>

/** The paths of rows that are there only where a setting lists something. */
const pathsWith = (member: 'withClients' | 'withProviders'): ReadonlySet<string> =>
  new Set(Object.values<Route>(routes).flatMap(row => (row[member] ? [row.on.slice(row.on.indexOf('/'))] : [])))

/** Whether a function is there only where OIDC_CLIENTS lists applications. */
export const needsClients = (name: FunctionName): boolean => Boolean(rows[name].withClients)

/** The paths that are there only where OIDC_CLIENTS lists applications. */
export const clientPaths = pathsWith('withClients')

/** Whether a function is there only where SIGN_IN_PROVIDERS lists providers. */
export const needsProviders = (name: FunctionName): boolean => Boolean(rows[name].withProviders)

/** The paths that are there only where SIGN_IN_PROVIDERS lists providers. */
export const providerPaths = pathsWith('withProviders')

/** The functions of a stack, by what its settings list. */
export const deployedFunctions = (hasClients: boolean, hasProviders: boolean): FunctionName[] =>
  functionNames.filter(name => (hasClients || !needsClients(name)) && (hasProviders || !needsProviders(name)))

/** Whether the function hashes a password, and so needs a full vCPU. */
export const isHashing = ({ checksPassword, choosesPassword }: Row): boolean =>
  Boolean(checksPassword ?? choosesPassword)

/** What a function needs: what the members of its row imply, then what the row states itself. No setting changes what it may do. */
export function needsOf(row: Row): Needs {
  const all = [...impliedBy(row), { may: row.may ?? {}, settings: row.settings ?? [], writes: row.writes ?? [] }]
  return {
    may: all.map(({ may }): Grants => may).reduce(join),
    writes: guards.filter(guard => all.some(({ writes }) => writes.some(each => each === guard))),
    // Sorted, so that the template does not change when a setting becomes implied.
    settings: [...new Set(all.flatMap(({ settings }): readonly SettingName[] => settings))].sort(),
    timeout: row.timeout ?? requestTimeout,
    memory: isHashing(row) ? memory.fullCpu : memory.usual,
  }
}

/** Every code that a path may answer with, but for those of the fields that it is asked with. */
export function refusalsOf(route: Route): ErrorCode[] {
  const shared: SharedRow | undefined = route.function && functions[route.function]
  // A function that touches nothing outside itself answers without the code that renders bugs.
  const touches = Object.keys(needsOf(shared ?? route).may).length > 0
  const implied = impliedBy(route).flatMap(({ refuses }): readonly ErrorCode[] => refuses)
  return [
    // Whoever must have a second factor needs no passkey.
    ...implied.filter(code => code !== 'passkey-required' || !route.refuses?.includes('no-second-factor')),
    ...(shared?.refusesQuery && !route.fields && !route.rpc ? (['query-parameter-unknown'] as const) : []),
    // People who log in by a provider alone have none.
    ...(route.refuses?.includes('wrong-password') ? (['no-password'] as const) : []),
    // `not-found` answers there.
    ...(route.withClients || route.withProviders ? (['not-found'] as const) : []),
    ...(route.query ? (['query-parameter-repeated', 'query-parameter-invalid'] as const) : []),
    ...(touches && !route.function ? (['unavailable'] as const) : []),
    ...(touches ? (['internal'] as const) : []),
    ...(route.refuses ?? []),
  ]
}

/** What a function's role allows: what the function needs, and what that of the last release called besides. */
export const grantsOf = (row: Row): Grants => join(needsOf(row).may, row.mayStill ?? {})

/** The functions that sign tokens. The keys' policies allow nobody else to sign. */
export const signers = functionNames.filter(name => grantsOf(rows[name]).SigningKey?.includes('Sign'))

/** The functions that check or set a second factor. The policy of the factors' key allows it to nobody else. */
export const factorUsers = functionNames.filter(name => grantsOf(rows[name]).FactorKey)

/** Those that set one: they alone may encrypt. */
export const factorSetters = functionNames.filter(name => grantsOf(rows[name]).FactorKey?.includes('Encrypt'))

/** The functions that exchange codes of providers. The policy of the key of the secrets there lets nobody else read them. */
export const exchangers = functionNames.filter(name => grantsOf(rows[name]).ProviderKey)

function join(some: Grants, more: Grants): Grants {
  const joined: Record<string, readonly string[]> = { ...some }
  for (const [resource, actions] of Object.entries(more)) {
    joined[resource] = [...new Set([...(joined[resource] ?? []), ...actions])]
  }
  return joined as Grants
}

/** The same as types, so that a function gets what its row needs and nothing else. */
type RowOf<N extends FunctionName> = (typeof routes & typeof functions)[N]
type OwnGrant<R> = R extends { may: infer M }
  ? { [K in keyof M & string]: M[K] extends readonly (infer A extends string)[] ? `${K}:${A}` : never }[keyof M &
      string]
  : never
type OwnGuard<R> = R extends { writes: readonly (infer G extends Guard)[] } ? `guard:${G}` : never
type OwnSetting<R> = R extends { settings: readonly (infer S extends SettingName)[] } ? S : never

/** What a function may do: `Accounts:GetItem`, `guard:links`. */
export type GrantOf<N extends FunctionName> =
  | OwnGrant<RowOf<N> | ImpliedFor<RowOf<N>>>
  | OwnGuard<RowOf<N> | ImpliedFor<RowOf<N>>>

/** The settings that a function reads. */
export type SettingOf<N extends FunctionName> = OwnSetting<RowOf<N> | ImpliedFor<RowOf<N>>>
