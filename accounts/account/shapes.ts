import * as v from 'valibot'
import {
  ClientId,
  type ExamplesOf,
  formerlyRefused,
  Language,
  type MeaningsOf,
  moment,
  nameOf,
  textWithout,
} from '../../shared/base/shapes.ts'
import { Email } from '../address/shapes.ts'
import { proven } from '../passkey/shapes.ts'
import { GivenPassword, NewPassword } from '../password/password.ts'

/** In code points. Long enough for any display name. */
export const maxNameLength = 200

export const Name = nameOf(maxNameLength)

/** A name that an account may have from before. */
export const FormerName = textWithout(text => formerlyRefused.test(text), maxNameLength)

export const UserCreate = v.object({
  email: Email,
  password: NewPassword,
  name: v.optional(v.nullable(Name), null),
  language: v.optional(v.nullable(Language), null),
  client_id: ClientId,
})
export type UserCreate = v.InferOutput<typeof UserCreate>

export const UpdateUserRequest = v.object({
  name: v.optional(v.nullable(Name), null),
  language: v.optional(v.nullable(Language), null),
})
export type UpdateUserRequest = v.InferOutput<typeof UpdateUserRequest>

/** Its bodies by name, for the route table. */
export const bodies = {
  UserCreate,
  UpdateUserRequest,
  DeleteAccountRequest: proven({}, { password: GivenPassword }),
} as const

/** Its answers, members in the contract's order. A function, so that bundles drop the schemas. */
export const defineAnswers = () => ({
  replies: {
    /** An account without its password (specification, section 2). */
    UserResponse: v.strictObject({
      id: v.string(),
      email: v.string(),
      name: v.nullable(v.string()),
      is_admin: v.boolean(),
      is_verified: v.boolean(),
      created_at: moment(),
      /** Only where `LANGUAGES` is set. */
      language: v.optional(v.nullable(v.string())),
      /** Only of an account that has some. */
      roles: v.optional(v.array(v.string())),
    }),
  },
})
type Replies = ReturnType<typeof defineAnswers>['replies']
export type UserResponse = v.InferOutput<Replies['UserResponse']>

export const meanings: MeaningsOf<typeof bodies & Replies> = {
  UserCreate: [
    'A new account.',
    {
      name: 'A display name, which may be empty; null or missing: none. It follows the rules of `UpdateUserRequest`.',
      language:
        'The language of its mails, as a tag (RFC 5646). It leads to an offered one by lookup (RFC 4647 §3.4): `de-AT` to `de`. ' +
        'One that leads to none counts as missing. Null or missing: `Accept-Language` says it, or none is chosen. Ignored ' +
        'where the service offers no languages.',
    },
  ],
  UpdateUserRequest: [
    'What changes in the account.',
    {
      name:
        'A display name, which may be empty: Unicode text without lone surrogates and without what cannot be seen ' +
        '(`Default_Ignorable_Code_Point`, and the categories Cc, Cf, Zl and Zp), but for joiners and variation selectors ' +
        'where scripts and emoji need them; and not of blanks alone. Its length counts in code points. Null or missing: it ' +
        'stays as it is.',
      language:
        'The language of its mails, as a tag that leads to an offered one, as for `UserCreate`. Notices follow a change seven ' +
        'days later. Null or missing: it stays as it is. Ignored where the service offers no languages.',
    },
  ],
  DeleteAccountRequest: ['A confirmation.'],
  UserResponse: [
    'An account.',
    {
      id: "The account's id (UUID). It stays the same, and no later account gets it.",
      email: 'Its address, in the form in which it is kept.',
      name: 'Its display name; null for none.',
      is_admin: 'Whether it is an administrator.',
      is_verified: 'Whether its address is verified.',
      created_at: 'When it was opened (RFC 3339, UTC).',
      language: 'The language of its mails; null for none chosen. Missing where the service offers no languages.',
      roles: 'What operators let it do. Missing of an account that has no roles.',
    },
  ],
}

export const memberExamples = { name: 'Ada' }

export const giveExamples = (): ExamplesOf<Replies> => ({
  UserResponse: {
    id: '019c2f6e-8a10-7c3d-9f4b-2e5a6d7c8b90',
    email: 'ada@example.com',
    name: 'Ada',
    is_admin: false,
    is_verified: false,
    created_at: '2026-03-01T12:00:00.000Z',
    language: 'de',
  },
})
