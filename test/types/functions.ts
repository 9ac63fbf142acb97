import { accountView } from '../../accounts/account/profile.ts'
import { messageResponse } from '../../api/make-replies.ts'
// What must not compile in a function. `npm run typecheck` fails when one of these compiles.

import type { Account } from '../../accounts/account/account.ts'
import { mayMove, mayOpen } from '../../accounts/address/gate.ts'
import { changeOf } from '../../accounts/change/changes.ts'
import { authenticate } from '../../accounts/token/authentication.ts'
import { endpoint } from '../../api/endpoint.ts'
import { lambda } from '../../api/lambda.ts'
import { accounts, publicKeys, queueMail, system } from '../../api/live.ts'
import deletion from '../../functions/delete-account.ts'
import getMe from '../../functions/get-me.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { keyIn } from '../../shared/base/families.ts'

/** Never called: only its types matter. */
export function refused(): void {
  // What is right compiles: the mistakes below differ from it in one thing each.
  endpoint(
    'get-me',
    async ({ account, claims }, deps) => accountView(deps, { ...account, id: claims.sub }),
    authenticate,
  )
  const ofBearer = () => ({ ...system, accounts: accounts(), publicKeys: publicKeys() })
  lambda(getMe, ofBearer)

  // @ts-expect-error a bearer endpoint without `authenticate`
  endpoint('get-me', async ({ account }, deps) => accountView(deps, account))
  // @ts-expect-error `authenticate` where everybody may call
  endpoint('verify-email', async () => messageResponse('verify-email'), authenticate)
  // @ts-expect-error a part that is missing
  lambda(getMe, () => ({ ...system, accounts: accounts() }))
  // @ts-expect-error a part that the row does not grant
  lambda(getMe, () => ({ ...ofBearer(), queueMail: queueMail() }))
  // @ts-expect-error a part that is missing
  lambda(deletion, () => ({ ...ofBearer(), queueMail: queueMail() }))
  // @ts-expect-error a reply of another shape
  endpoint('get-me', async () => messageResponse('verify-email'), authenticate)
  // @ts-expect-error a member that the reply's shape lacks
  endpoint('get-me', async ({ account }, deps) => ({ ...userResponse(deps, account), ver: 1 }), authenticate)
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

endpoint('register', async ({ body }, deps) => {
  const token = { hash: '', expiresAt: deps.now(), requestedAt: deps.now() }
  const account = {
    ...{ id: '', name: null, language: null, passwordHash: '', isAdmin: false, isVerified: false, tokenVersion: 0 },
    ...{ createdAt: deps.now(), verification: token },
  }
  await deps.accounts.open({ ...account, email: mayOpen(deps, body.email) })
  // @ts-expect-error an address that has not passed `mayOpen`
  await deps.accounts.open({ ...account, email: body.email })
  // @ts-expect-error an address for a move, not for a new account
  await deps.accounts.open({ ...account, email: mayMove(deps, body.email) })
  return accountView(deps, { ...account, email: body.email })
})

declare const someone: Account
endpoint('confirm-email-change', async ({ body }, deps) => {
  const change = changeOf(someone, { kind: 'email', hash: '', hasLink: true }, deps.now())
  const move = { hash: '', clients: [], change }
  await deps.addresses.move(someone, { ...move, to: mayMove(deps, body.token) }, deps.now())
  // @ts-expect-error an address that has not passed `mayMove`
  await deps.addresses.move(someone, { ...move, to: body.token }, deps.now())
  // @ts-expect-error a setting of `mayOpen` that the row does not name
  mayOpen(deps, body.token)
  return messageResponse('confirm-email-change')
})

endpoint(
  'logout-everywhere',
  async ({ account }, deps) => {
    const ceiling = { limit: 1, resetsAt: deps.now() }
    await deps.counters.take(keyIn('Requests', account.id), ceiling)
    // @ts-expect-error a key prefix that the row does not grant
    await deps.counters.take(keyIn('Codes', account.id), ceiling)
    // @ts-expect-error a key without a known prefix
    await deps.counters.take(`logout#${account.id}`, ceiling)
    // @ts-expect-error an action that the row does not grant for the key prefix
    await deps.counters.clear(keyIn('Requests', account.id))
    // @ts-expect-error a link, which has another key prefix
    deps.counters.allowUndo
    deps.log({ event: 'login-limited', reason: 'pair' })
    deps.log({ event: 'request-limited', reason: 'login' })
    // @ts-expect-error a reason that a person could have written
    deps.log({ event: 'login-limited', reason: account.email })
    // @ts-expect-error a reason of another event
    deps.log({ event: 'registered', account_id: account.id, reason: 'pair' })
    // @ts-expect-error no account, where it is known
    deps.log({ event: 'registered' })
    await deps.sessions.endAll(account, { mark: '', clients: [] }, deps.now())
    // @ts-expect-error a call by an action that the row does not grant
    deps.accounts.open
    // @ts-expect-error a call by an index that the row does not grant
    await deps.tokens.findHolder('reset', account.id)
    // @ts-expect-error a part that the row does not grant
    await deps.queueMail(account, 0)
    // @ts-expect-error a setting that the row does not name
    return deps.config.adminEmail
  },
  authenticate,
)
