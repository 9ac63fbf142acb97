// What must not compile in the tables that functions and documents read. `npm run typecheck` fails when one of these does.

import type { AccountItem } from '../../accounts/account/attributes.ts'
import type { Claims, claims } from '../../accounts/token/claims.ts'
import type { Deps, Granted } from '../../api/deps.ts'
import { kept } from '../../operations/users/kept-attributes.ts'
import type { Config, SettingName } from '../../shared/base/config.ts'
import { type ErrorCode, type Refusal, refusals } from '../../shared/base/errors.ts'

const { internal: _, ...incomplete } = refusals
// @ts-expect-error a code without a line
export const everyCode: Record<ErrorCode, Refusal> = incomplete

declare const meanings: typeof claims
const { ver: __, ...fewer } = meanings
// @ts-expect-error a claim without its meaning
export const everyClaim: typeof claims = fewer
// @ts-expect-error a claim that no token carries
export const noClaim: keyof Claims = 'groups'

declare const texts: Record<Exclude<SettingName, 'ADMIN_EMAIL'>, string>
// @ts-expect-error a setting that functions read and the stack does not set
export const everySetting: Record<SettingName, string> = texts

declare const granted: Granted<'get-me'>
// @ts-expect-error a setting that the row does not name
export const config: Pick<Config, 'adminEmail'> = granted.config
// @ts-expect-error a part that the row does not grant
export const parts: Pick<Deps, 'signer'> = granted

const { locked_at: ___, ...undecided } = kept
// @ts-expect-error an attribute of accounts without a decision whether a restore keeps it
export const everyAttribute: Record<keyof AccountItem, string> = undecided
