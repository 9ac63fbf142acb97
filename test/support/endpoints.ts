import { issueAccessToken } from '../../shared/accounts/access-token.ts'
import type { Endpoint, EndpointName } from '../../shared/http/endpoint.ts'
import { routes } from '../../shared/routes.ts'
import { call, type Received, type Sent } from './http.ts'
import { ada, find, register as openAdasAccount, requestToken } from './people.ts'
import { goodBody } from './requests.ts'
import { endpointNames, requestLine } from './rows.ts'
import type { World } from './world.ts'

const endpoints = new Map<EndpointName, Endpoint<World['deps']>>()
for (const name of endpointNames) {
  const file = (await import(`../../functions/${name}.ts`)) as { default: Endpoint<World['deps']> }
  endpoints.set(name, file.default)
}

/** Sends a request to an endpoint, by the method and the path of its row. */
export function send(world: World, name: EndpointName, sent: Sent = {}): Promise<Received> {
  const endpoint = endpoints.get(name) as Endpoint<World['deps']>
  return call(endpoint(world.deps), { ...requestLine(name), ...sent })
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
  const body = await goodBody(name, {
    ...ada,
    newEmail: 'bob@example.com',
    token: kind => (kind === 'verification' ? token : requestToken(world, kind)),
  })
  const headers = routes[name].access === 'bearer' ? await bearer(world) : {}
  world.calls.length = 0
  return { ...(body && { body }), headers }
}
