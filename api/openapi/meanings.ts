import * as account from '../../accounts/account/shapes.ts'
import * as address from '../../accounts/address/shapes.ts'
import {
  memberMeanings as ofApplicationMembers,
  meanings as ofApplications,
} from '../../accounts/application/meanings.ts'
import * as application from '../../accounts/application/shapes.ts'
import * as factor from '../../accounts/factor/shapes.ts'
import * as identity from '../../accounts/identity/shapes.ts'
import * as login from '../../accounts/login/shapes.ts'
import { meanings as ofPasskeys } from '../../accounts/passkey/meanings.ts'
import * as passkey from '../../accounts/passkey/shapes.ts'
import * as password from '../../accounts/password/shapes.ts'
import * as session from '../../accounts/session/shapes.ts'
import * as token from '../../accounts/token/shapes.ts'
import { meanings as ofCatalogue } from '../../catalogue/meanings.ts'
import * as base from '../../shared/base/shapes.ts'
import type { bodies } from '../bodies.ts'
import { ownMeanings, type parts, type replies } from '../replies.ts'

type Bodies = typeof bodies
type Member = { [B in keyof Bodies]: keyof Bodies[B]['entries'] }[keyof Bodies]

/** The meanings of all shapes but for those of texts, which say what code checks (`schemas.ts`), and of problems. */
export const meanings: Readonly<Record<string, base.Meaning>> = {
  ...base.meanings,
  ...token.meanings,
  ...session.meanings,
  ...factor.meanings,
  ...ofPasskeys,
  ...identity.meanings,
  ...password.meanings,
  ...address.meanings,
  ...account.meanings,
  ...login.meanings,
  ...ofApplications,
  ...ownMeanings,
  ...ofCatalogue,
} satisfies base.MeaningsOf<Bodies & typeof replies & typeof parts>

/** What the members are of bodies that say nothing of them. Those that refer to a shape have that one's description. */
export const memberMeanings: Partial<Record<Member, string>> = {
  ...base.memberMeanings,
  ...identity.memberMeanings,
  ...password.memberMeanings,
  ...ofApplicationMembers,
}

/** An example of each member of a body. */
export const memberExamples: Readonly<Record<Member, unknown>> = {
  ...base.memberExamples,
  ...session.memberExamples,
  ...passkey.memberExamples,
  ...identity.memberExamples,
  ...password.memberExamples,
  ...address.memberExamples,
  ...account.memberExamples,
  ...login.memberExamples,
  ...application.memberExamples,
}
