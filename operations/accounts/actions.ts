import { costOf } from '../../shared/accounts/password-hash.ts'
import type { AccountItem } from '../../shared/store/account-item.ts'
import { type Command, command } from '../command-line/command.ts'
import { CommandError } from '../command-line/command-error.ts'
import { type Stack, stackOptions } from '../command-line/stack.ts'
import { findAccount } from './one-account.ts'
import type { AccountTable } from './table.ts'

/** Something that a command does to an account by one conditional write. */
interface Act {
  /** What the account is already, if the act would change nothing: `is locked already`. */
  already?: (account: AccountItem) => string | null
  /** @returns false when the account is gone */
  write(table: AccountTable, account: AccountItem, now: Date): Promise<boolean>
  /** What the account is then, and what the act cannot do: `is locked. …`. */
  done: string | ((account: AccountItem) => string)
  /** What an operator should know besides. */
  warning?: (account: AccountItem, stack: Stack) => string | null
}

interface ActCommand extends Pick<Command, 'summary' | 'operand' | 'details'> {
  /** @param choice what is said besides the address @throws {CommandError} */
  choose(choice: string): Act
}

const actCommand = ({ choose, operand = '<email>', ...texts }: ActCommand): Command =>
  command({
    ...texts,
    operand,
    options: stackOptions,
    async run(given, email, choice = '') {
      const { already, write, done, warning } = choose(choice)
      const { account, table, stack } = await findAccount(given, email)
      const warned = warning?.(account, stack)
      if (warned) console.error(`Warning: ${warned}`)
      const told = already?.(account)
      if (!told && !(await write(table, account, table.now()))) {
        throw new CommandError(`${account.email} was deleted meanwhile; nothing was changed`)
      }
      console.log(`${account.email} ${told ?? (typeof done === 'string' ? done : done(account))}`)
      return 0
    },
  })

const untold = 'Its owner is not mailed about it.'
const elsewhere = `Services that verify tokens by the key set alone take older ones until they expire (exp). Services that ask
/auth/me refuse them at once.`

export const verifyCommand = actCommand({
  summary: "Marks an account's address as verified.",
  details: 'For someone who cannot get the mail, and has shown otherwise that the address is theirs.',
  choose: () => ({
    already: account => (account.is_verified ? 'is verified already' : null),
    write: (table, account, now) => table.verify(account, now),
    done: `is verified. The link that was mailed is void. ${untold}`,
  }),
})

export const adminCommand = actCommand({
  summary: 'Makes an account an administrator, or an ordinary one.',
  operand: '<email> on|off',
  details: `Gatehouse only reports is_admin, by /auth/me; what an administrator may do is up to the services that ask. Access
tokens do not say it.`,
  choose(choice) {
    if (choice !== 'on' && choice !== 'off') throw new CommandError(`say on or off, not '${choice}'`, 2)
    const isOn = choice === 'on'
    const state = isOn ? 'an administrator' : 'no administrator'
    return {
      already: account => (account.is_admin === isOn ? `is ${state} already` : null),
      write: (table, account, now) => table.setAdmin(account, isOn, now),
      done: `is ${state} now: /auth/me says so at once. ${untold}`,
      warning({ email, is_verified }, { outputs }) {
        if (isOn && !is_verified) {
          return `the address ${email} is not verified: anybody may have registered it, and know the password`
        }
        return !isOn && email === outputs.AdminEmail
          ? `ADMIN_EMAIL is ${email}. Its owner can delete the account now, and whoever registers it next is an administrator`
          : null
      },
    }
  },
})

export const lockCommand = actCommand({
  summary: 'Locks an account: nobody can log in to it.',
  details: `Whoever knows the password is told that the account is locked, and nobody else. Its access tokens are void, and no
link is mailed to it. A link that was mailed before still verifies the address or sets a password, and unlocks nothing.`,
  choose: () => ({
    already: account => (account.locked_at === undefined ? null : `is locked already, since ${account.locked_at}`),
    write: (table, account, now) => table.lock(account, now),
    done: `is locked: nobody can log in, its access tokens are void, and no link is mailed to it.
${elsewhere} ${untold}`,
  }),
})

export const unlockCommand = actCommand({
  summary: 'Unlocks an account.',
  choose: () => ({
    already: account => (account.locked_at === undefined ? 'is not locked' : null),
    write: (table, account, now) => table.unlock(account, now),
    done: `is not locked any more. Its access tokens stay void. Whoever knows its password can log in, also where a link
that was mailed before the lock has set a new one: if that may be somebody else, revoke it. ${untold}`,
  }),
})

export const signOutCommand = actCommand({
  summary: "Voids an account's access tokens.",
  details: `As POST /auth/logout-everywhere does for an owner. Whoever knows the password can log in again, and a link that was
mailed still works: revoke voids these too.`,
  choose: () => ({
    write: (table, account, now) => table.signOut(account, now),
    done: ({ password_hash }) =>
      `is signed out: its access tokens are void, and no remote is remembered. ${
        costOf(password_hash) === null ? 'It has no password.' : 'Its password still works.'
      }
${elsewhere} ${untold}`,
  }),
})

export const revokeCommand = actCommand({
  summary: "Voids an account's password until a reset by mail, its access tokens and its links.",
  details: `For an account that somebody else got into. Links that lie on the queue are void too. The owner's way
back is a reset by mail; whoever reads the mailbox has the same way: lock keeps them out.`,
  choose: () => ({
    write: (table, account, now) => table.revoke(account, now),
    done: `has no password any more, until a reset by mail sets one. Its access tokens and links are void, those on
the queue too, and no remote is remembered. Whoever reads its mailbox can ask for a reset.
${elsewhere} ${untold}`,
  }),
})
