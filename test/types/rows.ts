// What must not compile in the route table. `npm run typecheck` fails when one of these compiles.
import type { Route, SharedRow } from '../../api/routes.ts'

const row = {
  on: 'POST /auth/x',
  summary: 'Does x.',
  access: 'anyone',
  reply: [200, 'MessageResponse', 'Done.'],
} as const
const right: Route = row

// @ts-expect-error a misspelt setting
export const misspelt: Route = { ...row, settings: ['ADMIN_EMIAL'] }
// @ts-expect-error an invented setting
export const invented: SharedRow = { summary: 'Does x.', settings: ['ADMIN_MAIL'] }
// @ts-expect-error an action that its resource does not have
export const wrongGrant: Route = { ...row, may: { MailQueue: ['DeleteItem'] } }
// @ts-expect-error a resource that does not exist
export const noResource: Route = { ...row, may: { Sessions: ['GetItem'] } }
// @ts-expect-error a reply that is no shape
export const wrongReply: Route = { ...row, reply: [200, 'Tokens'] }
// @ts-expect-error an answer of one sentence, without the sentence
export const noMessage: Route = { ...row, reply: [200, 'MessageResponse'] }
// @ts-expect-error a status that is no success
export const wrongStatus: Route = { ...row, reply: [202, 'Token'] }
// @ts-expect-error an access that does not exist
export const wrongAccess: Route = { ...row, access: 'admin' }
// @ts-expect-error a row without access
export const noAccess: Route = { on: 'POST /auth/x', summary: 'Does x.', reply: [200, 'Token'] }
// @ts-expect-error access to a shared function
export const sharedAccess: Route = { ...row, function: 'pages' }
// @ts-expect-error a body that is no shape
export const wrongBody: Route = { ...row, body: 'UserLogout' }
// @ts-expect-error a refusal that is no code
export const wrongCode: Route = { ...row, refuses: ['no-such-code'] }
// @ts-expect-error a function that does not exist
export const wrongFunction: Route = { ...row, function: 'page' }
// @ts-expect-error a method that no route has
export const wrongMethod: Route = { ...row, on: 'PATCH /auth/x' }
// @ts-expect-error a path without a method
export const noMethod: Route = { ...row, on: '/auth/x' }
// @ts-expect-error a member that no row has
export const unknownMember: Route = { ...right, limits: 60 }
