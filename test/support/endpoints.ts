import type { GenericSchema } from 'valibot'
import { issueAccessToken } from '../../shared/accounts/access-token.ts'
import type { Endpoint, EndpointName } from '../../shared/http/endpoint.ts'
import { type Route, routes } from '../../shared/routes.ts'
import { bodies } from '../../shared/schemas.ts'
import { call, type Received, type Sent } from './http.ts'
import { ada, find, register as openAdasAccount, requestToken } from './people.ts'
import type { World } from './world.ts'

/** Every row that `endpoint()` serves. */
export const endpointNames = Object.entries<Route>(routes).flatMap(([name, { reply }]) =>
  reply ? [name as EndpointName] : [],
)

const endpoints = new Map<EndpointName, Endpoint<World['deps']>>()
for (const name of endpointNames) {
  const file = (await import(`../../functions/${name}.ts`)) as { default: Endpoint<World['deps']> }
  endpoints.set(name, file.default)
}

/** The members of a row's body, in their order. */
export function membersOf(name: EndpointName): string[] {
  const { body }: Route = routes[name]
  return body ? Object.keys(bodies[body].entries) : []
}

/** The schema of one member. */
export function schemaOf(name: EndpointName, member: string): GenericSchema {
  const { body }: Route = routes[name]
  return (bodies[body as keyof typeof bodies].entries as Record<string, GenericSchema>)[member] as GenericSchema
}

/** Sends a request to an endpoint, by the method and the path of its row. */
export function send(world: World, name: EndpointName, sent: Sent = {}): Promise<Received> {
  const [method = '', path = ''] = routes[name].on[0].split(' ')
  const endpoint = endpoints.get(name) as Endpoint<World['deps']>
  return call(endpoint(world.deps), { method, path, ...sent })
}

export async function bearer(world: World, email: string = ada.email): Promise<Record<string, string>> {
  const { token } = await issueAccessToken(world.deps, await find(world, email))
  return { authorization: `Bearer ${token}` }
}

/** A request that the endpoint answers with success, and the world in which it does: Ada has an account there. */
export async function goodRequest(
  world: World,
  name: EndpointName,
): Promise<Sent & { headers: Record<string, string> }> {
  const { token } = await openAdasAccount(world)
  world.advance(1000)
  const members = membersOf(name)
  const body: Record<string, unknown> = {}
  for (const member of members) body[member] = await goodValue(world, name, member, token)
  const headers = routes[name].access === 'bearer' ? await bearer(world) : {}
  world.calls.length = 0
  return { ...(members.length > 0 && { body }), headers }
}

/** What Ada sends as a member of a body. Members of one name mean the same on every endpoint. */
async function goodValue(world: World, name: EndpointName, member: string, verification: string): Promise<string> {
  switch (member) {
    case 'email':
      return name === 'register' ? 'bob@example.com' : ada.email
    case 'password':
    case 'current_password':
      return ada.password
    case 'new_password':
      return 'battery staple'
    case 'name':
      return 'Countess'
    case 'token':
      return name === 'verify-email' ? verification : await requestToken(world, 'reset')
    default:
      throw new Error(`say here what a good ${member} is`)
  }
}
