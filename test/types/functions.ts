// What must not compile in a function. `npm run typecheck` fails when one of these compiles.
import deletion from '../../functions/delete-account.ts'
import getMe from '../../functions/get-me.ts'
import login from '../../functions/login.ts'
import { authenticate } from '../../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../../shared/api/endpoint.ts'
import { lambda } from '../../shared/api/lambda.ts'
import { factorKey, mailQueue, publicKeys, rateLimits, signer, system, users } from '../../shared/api/live.ts'
import { messageResponse, userResponse } from '../../shared/api/make-replies.ts'
import { DomainError } from '../../shared/base/errors.ts'

/** Never called: only its types matter. */
export function refused(): void {
  // What is right compiles: the mistakes below differ from it in one thing each.
  endpoint('get-me', async ({ account, claims }) => userResponse({ ...account, id: claims.sub }), authenticate)
  lambda(getMe, () => ({ ...system, ...users(), ...publicKeys() }))
  lambda(login, () => ({ ...system, ...rateLimits(), ...users(), ...signer(), ...mailQueue(), ...factorKey() }))

  // @ts-expect-error a bearer endpoint without `authenticate`
  endpoint('get-me', async ({ account }) => userResponse(account))
  // @ts-expect-error `authenticate` where everybody may call
  endpoint('verify-email', async () => messageResponse('verify-email'), authenticate)
  // @ts-expect-error a part that is missing
  lambda(getMe, () => ({ ...system, ...users() }))
  // @ts-expect-error a part that the row does not grant
  lambda(getMe, () => ({ ...system, ...users(), ...publicKeys(), ...mailQueue() }))
  // @ts-expect-error a part that is missing
  lambda(deletion, () => ({ ...system, ...users(), ...publicKeys(), ...mailQueue() }))
  // @ts-expect-error a reply of another shape
  endpoint('get-me', async () => messageResponse('verify-email'), authenticate)
  // @ts-expect-error a member that the reply's shape lacks
  endpoint('get-me', async ({ account }) => ({ ...userResponse(account), ver: 1 }), authenticate)
  // @ts-expect-error a member that the reply's shape has is missing
  endpoint('verify-email', async () => ({ success: true as const }))
  // @ts-expect-error a message that no endpoint has
  messageResponse('verify-mail')
  // @ts-expect-error an account where no token is asked for
  endpoint('verify-email', async ({ account }) => messageResponse(account ? 'verify-email' : 'verify-email'))
  // @ts-expect-error a body where the row takes none
  endpoint('logout-everywhere', async ({ body }) => messageResponse(body.x), authenticate)
  // @ts-expect-error a row that does not exist
  endpoint('get-you', async () => messageResponse('verify-email'))
  // @ts-expect-error a row whose function is shared
  endpoint('home', async () => messageResponse('verify-email'))
  // @ts-expect-error an unknown code
  throw new DomainError('no-such-code')
}

endpoint(
  'logout-everywhere',
  async ({ account }, deps) => {
    // @ts-expect-error a part that the row does not grant
    await deps.queueMail(account, 0)
    // @ts-expect-error a setting that the row does not name
    return deps.config.adminEmail
  },
  authenticate,
)
