import * as v from 'valibot'
import * as account from '../accounts/account/shapes.ts'
import * as application from '../accounts/application/shapes.ts'
import * as factor from '../accounts/factor/shapes.ts'
import * as identity from '../accounts/identity/shapes.ts'
import * as passkey from '../accounts/passkey/shapes.ts'
import * as password from '../accounts/password/shapes.ts'
import * as session from '../accounts/session/shapes.ts'
import * as token from '../accounts/token/shapes.ts'
import * as base from '../shared/base/shapes.ts'

/**
 * The shapes of what the API answers on success. For tests and tools: esbuild keeps every schema that a module makes as it loads,
 * so functions do not import it.
 */

const JsonObject = v.record(v.string(), v.unknown())
const own = {
  /** The description of this API. */
  replies: {
    OpenapiDocument: v.objectWithRest({ openapi: v.string(), info: JsonObject, paths: JsonObject }, v.unknown()),
  },
  parts: { JsonObject },
}

export const ownMeanings: base.MeaningsOf<typeof own.replies & typeof own.parts> = {
  OpenapiDocument: ['A description of this API (OpenAPI 3.1).', { openapi: 'The version of OpenAPI.' }],
  JsonObject: ['Any JSON object.'],
}

const answers = {
  base: base.defineAnswers(),
  token: token.defineAnswers(),
  session: session.defineAnswers(),
  factor: factor.defineAnswers(),
  passkey: passkey.defineAnswers(),
  identity: identity.defineAnswers(),
  password: password.defineAnswers(),
  account: account.defineAnswers(),
  application: application.defineAnswers(),
}

/** Shapes by name, for the route table. */
export const replies = {
  ...answers.base.replies,
  ...answers.token.replies,
  ...answers.session.replies,
  ...answers.factor.replies,
  ...answers.passkey.replies,
  ...answers.identity.replies,
  ...answers.password.replies,
  ...answers.account.replies,
  ...answers.application.replies,
  ...own.replies,
} as const

/** What those are made of, by name. */
export const parts = {
  ...answers.token.parts,
  ...answers.session.parts,
  ...answers.passkey.parts,
  ...answers.identity.parts,
  ...answers.password.parts,
  ...own.parts,
} as const

/**
 * An example of each shape, for the API's description. Those of messages come from the rows that answer with them, and
 * that of Discovery from `make-replies.ts`.
 */
export const replyExamples: base.ExamplesOf<Omit<typeof replies, 'MessageResponse' | 'Discovery'>> = {
  ...token.giveExamples(),
  ...session.giveExamples(),
  ...factor.giveExamples(),
  ...passkey.giveExamples(),
  ...identity.giveExamples(),
  ...password.giveExamples(),
  ...account.giveExamples(),
  ...application.giveExamples(),
  OpenapiDocument: { openapi: '3.1.1', info: { title: 'Gatehouse' }, paths: {} },
}
