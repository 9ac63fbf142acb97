import * as v from 'valibot'
import type { AccountItem } from '../../accounts/account/attributes.ts'
import { CommandError } from '../command-line/failures.ts'
import { toLines } from '../command-line/terminal.ts'
import { noRoles, Roles } from './account-record.ts'
import { actionCommand, noNotice, otherServices } from './action-command.ts'
import { accountOperand } from './find-account.ts'
import type { AccountTable } from './table.ts'

/** The roles that an operator types: `a,b`, or `none`. @throws {CommandError} */
function rolesIn(text: string): string[] {
  const parsed = v.safeParse(Roles, text === 'none' ? [] : text.split(','))
  if (!parsed.success) throw new CommandError(`roles ${noRoles}`, 2)
  return parsed.output
}

/** Roles as people read and type them. */
export const listed = (roles: readonly string[] = []): string => roles.join(',') || 'none'

/** @returns false when the account is not there any more @throws {CommandError} when it has changed since it was read */
export async function changeRoles(
  table: AccountTable,
  account: AccountItem,
  roles: string[],
  now: Date,
): Promise<boolean> {
  if (await table.setRoles(account, roles, now)) return true
  const present = await table.find(account.email)
  if (present?.id !== account.id) return false
  throw new CommandError(
    `${account.email} changed in the meantime: its roles are ${listed(present.roles)} now; nothing was changed`,
  )
}

export const rolesCommand = actionCommand({
  summary: "Sets an account's roles in other services.",
  operand: `${accountOperand} <a,b|none>`,
  details: `Gatehouse only reports roles: in access tokens, to applications that ask for the scope roles, and at /auth/me. Other
services decide what a role may do (docs/verify.md). A role and is_admin say nothing about each other.
Taking one revokes access tokens and ends sessions. One more comes with the next refresh or login.`,
  action(choice) {
    const roles = rolesIn(choice)
    return {
      already: account => (listed(account.roles) === listed(roles) ? `has the roles ${listed(roles)} already` : null),
      write: (table, account, now) => changeRoles(table, account, roles, now),
      done({ roles: before = [] }) {
        const isTaken = before.some(role => !roles.includes(role))
        return toLines`had the roles ${listed(before)}, and has ${listed(roles)} now. ${
          isTaken
            ? toLines`Its access tokens are revoked, and its sessions have ended.
${otherServices} ${noNotice}`
            : `Tokens have them from the next refresh or login on. ${noNotice}`
        }`
      },
    }
  },
})
