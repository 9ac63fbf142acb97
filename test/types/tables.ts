// What must not compile in the tables that functions and documents read. `npm run typecheck` fails when one of these does.

import type { Account } from '../../accounts/account/account.ts'
import { type AccountItem, attributes, type MembersOf } from '../../accounts/account/attributes.ts'
import type { Claims, claims } from '../../accounts/token/claims.ts'
import type { Deps, Granted } from '../../api/deps.ts'
import { AccountRecord, type KeptAttribute } from '../../operations/users/account-record.ts'
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

const { locked_at: ___, ...fewerAttributes } = attributes
declare const members: Pick<Account, MembersOf<typeof attributes>>
declare const fewerMembers: Pick<Account, MembersOf<typeof fewerAttributes>>
// The right one compiles: each mistake below differs from it in one thing.
export const everyMember: Account = members
// @ts-expect-error a member of an account that no line of the table makes
export const noLine: Account = fewerMembers
// @ts-expect-error a new member of an account, without a line
export const newMember: Account & { nickname: string | null } = members
// @ts-expect-error an attribute of an item that has no line
export const noAttribute: Partial<AccountItem> = { nickname: 'Ada' }

const { locked_at: ____, ...fewerColumns } = AccountRecord.entries
// @ts-expect-error an attribute that exports have, and no import reads
export const everyColumn: Record<KeptAttribute, unknown> = fewerColumns
