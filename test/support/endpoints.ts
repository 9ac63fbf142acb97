import forgotPassword from '../../functions/forgot-password.ts'
import getMe from '../../functions/get-me.ts'
import login from '../../functions/login.ts'
import register from '../../functions/register.ts'
import resendVerification from '../../functions/resend-verification.ts'
import resetPassword from '../../functions/reset-password.ts'
import updateMe from '../../functions/update-me.ts'
import verifyEmail from '../../functions/verify-email.ts'
import { issueAccessToken } from '../../shared/accounts/access-token.ts'
import type { Endpoint, EndpointName } from '../../shared/http/endpoint.ts'
import { routes } from '../../shared/routes.ts'
import { call, type Received, type Sent } from './http.ts'
import { ada, find, register as openAdasAccount, requestToken } from './people.ts'
import type { World } from './world.ts'

const endpoints: Record<EndpointName, Endpoint<World['deps']>> = {
  register,
  login,
  'get-me': getMe,
  'update-me': updateMe,
  'forgot-password': forgotPassword,
  'reset-password': resetPassword,
  'verify-email': verifyEmail,
  'resend-verification': resendVerification,
}

export const endpointNames = Object.keys(endpoints) as EndpointName[]

/** Sends a request to an endpoint, by the method and the path of its row. */
export function send(world: World, name: EndpointName, sent: Sent = {}): Promise<Received> {
  const [method = '', path = ''] = routes[name].on[0].split(' ')
  return call(endpoints[name](world.deps), { method, path, ...sent })
}

export async function bearer(world: World, email: string = ada.email): Promise<Record<string, string>> {
  const { token } = await issueAccessToken(world.deps, await find(world, email))
  return { authorization: `Bearer ${token}` }
}

/** A request that the endpoint answers with success, and the world in which it does. */
export async function goodRequest(world: World, name: EndpointName): Promise<Sent> {
  const { token } = await openAdasAccount(world)
  world.advance(1000)
  const bodies: Record<EndpointName, object | undefined> = {
    register: { email: 'bob@example.com', password: 'battery staple', name: 'Bob' },
    login: ada,
    'get-me': undefined,
    'update-me': { name: 'Countess' },
    'forgot-password': { email: ada.email },
    'reset-password': { token: await requestToken(world, 'reset'), new_password: 'battery staple' },
    'verify-email': { token },
    'resend-verification': { email: ada.email },
  }
  const headers = 'bearer' === routes[name].access ? await bearer(world) : {}
  world.calls.length = 0
  return { ...(bodies[name] && { body: bodies[name] }), headers }
}
