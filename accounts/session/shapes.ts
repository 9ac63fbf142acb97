import * as v from 'valibot'
import { type ExamplesOf, Label, type MeaningsOf, moment, objectOf, Text } from '../../shared/base/shapes.ts'
import { proven } from '../passkey/shapes.ts'
import { GivenPassword } from '../password/password.ts'
import { refreshTokenExample } from '../token/shapes.ts'

export const SessionRequest = objectOf({
  label: v.optional(v.nullable(Label), null),
  tab: v.optional(v.boolean('must be true or false')),
})
export type SessionRequest = v.InferOutput<typeof SessionRequest>

/** Its bodies by name, for the route table. */
export const bodies = {
  /** Any text: a malformed token is one that does not work. */
  RefreshRequest: v.object({ refresh_token: Text }),
  EndSessionRequest: proven(
    { id: v.optional(Text), others: v.optional(v.boolean('must be true or false'), false) },
    { password: GivenPassword },
  ),
} as const

/** Parts of bodies, by name. */
export const bodyParts = { SessionRequest } as const

/** Its answers, members in the contract's order. A function, so that bundles drop the schemas. */
export function defineAnswers() {
  const Session = v.strictObject({
    id: v.string(),
    /** What the application calls the device. */
    label: v.nullable(v.string()),
    created_at: moment(),
    /** When its refresh token was last replaced. */
    last_used_at: moment(),
    /** When it ends if it is not refreshed. */
    expires_at: moment(),
    /** Whether the access token of the request belongs to it. */
    is_current: v.boolean(),
    /** The client that has its refresh token; null when it is a login's own. */
    application: v.nullable(v.string()),
    /** Whether a browser has it, to stay logged in across applications. */
    browser: v.boolean(),
    /** The browser's session by which an application got it. */
    through: v.nullable(v.string()),
  })
  return { replies: { SessionList: v.strictObject({ sessions: v.array(Session) }) }, parts: { Session } }
}
type Answers = ReturnType<typeof defineAnswers>
export type SessionList = v.InferOutput<Answers['replies']['SessionList']>

export const meanings: MeaningsOf<typeof bodies & typeof bodyParts & Answers['replies'] & Answers['parts']> = {
  RefreshRequest: ['A session.', { refresh_token: 'The last one that the API has answered for the session.' }],
  EndSessionRequest: [
    'A session to end, or all others, and a confirmation.',
    {
      id: 'Its id, from the list of sessions; needed without `others`. One that has ended is a success too. With a browser’s, the sessions end that applications got by it.',
      others:
        'Whether all other sessions end in its place, and all access tokens: that of the request stays, and gets another with its next refresh.',
    },
  ],
  SessionRequest: [
    'A session to open: the answer then has a refresh token. Missing: none is opened.',
    {
      label:
        'What the application calls the device, such as `Phone`: it follows the rules of names (`UpdateUserRequest`). ' +
        'Null or missing: it has no label.',
      tab:
        'Whether a tab opens it for itself, as those of the account page do. Such sessions have places of their own, few of them, and ' +
        'end none of other devices.',
    },
  ],
  SessionList: [
    'The sessions of an account.',
    { sessions: 'The current one first, then the last used. Those that have ended are left out.' },
  ],
  Session: [
    'A device on which somebody is logged in.',
    {
      id: 'Its id, the `sid` of its access tokens.',
      label: 'What the application calls the device; null for nothing.',
      created_at: 'When it was opened (RFC 3339, UTC).',
      last_used_at: 'When its refresh token was last replaced (RFC 3339, UTC).',
      expires_at: 'When it ends if it is not refreshed (RFC 3339, UTC).',
      is_current: 'Whether the access token of the request belongs to it.',
      application:
        'The application that has it, by its id in `OIDC_CLIENTS`; null where it is a login of this service.',
      browser: 'Whether a browser has it, to stay logged in across applications.',
      through:
        'The id of the browser’s session by which the application got it, which may have ended; null without one.',
    },
  ],
}

export const memberExamples = { session: { label: 'Phone' }, others: false, refresh_token: refreshTokenExample }

export const giveExamples = (): ExamplesOf<Answers['replies']> => ({
  SessionList: {
    sessions: [
      {
        id: 'oGkZr8mTq1uYw3sXc5vBnA',
        label: 'Phone',
        created_at: '2026-03-01T12:00:00.000Z',
        last_used_at: '2026-03-02T08:30:00.000Z',
        expires_at: '2026-03-16T08:30:00.000Z',
        is_current: true,
        application: null,
        browser: false,
        through: null,
      },
    ],
  },
})
