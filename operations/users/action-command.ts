import type { AccountItem } from '../../accounts/account/attributes.ts'
import { type Command, command } from '../command-line/command.ts'
import { CommandError } from '../command-line/failures.ts'
import { type Stack, stackOptions } from '../command-line/stack.ts'
import { note, print, type Shown, toLines } from '../command-line/terminal.ts'
import { accountOperand, findAccount } from './find-account.ts'
import type { AccountTable } from './table.ts'

/** Changes one account by one conditional write. The texts follow the account's address. */
interface Action {
  /** Why it is refused, if it is: `is invited`. */
  refused?: (account: AccountItem) => string | null
  /** Printed instead of writing, if the account is already in that state: `is already verified`. */
  already?: (account: AccountItem, stack: Stack) => string | null
  /** @returns false when the account no longer exists */
  write(table: AccountTable, account: AccountItem, now: Date, stack: Stack): Promise<boolean>
  /** The new state of the account, and what the action cannot do: `is locked. …`. */
  done: Shown | ((account: AccountItem, stack: Stack, now: Date) => Shown)
  warning?: (account: AccountItem, stack: Stack) => string | null
}

interface ActionCommand extends Pick<Command, 'summary' | 'operand' | 'details'> {
  /** @param choice the operand beside the account, or `''` @throws {CommandError} */
  action(choice: string): Action
}

export const actionCommand = ({ action, operand = accountOperand, ...texts }: ActionCommand): Command =>
  command({
    ...texts,
    operand,
    options: stackOptions,
    async run(options, ...operands) {
      const [named = '', choice = ''] = operand.startsWith(accountOperand) ? operands : operands.toReversed()
      const { refused, already, write, done, warning } = action(choice)
      const { account, table, stack } = await findAccount(options, named)
      const refusal = refused?.(account)
      if (refusal) throw new CommandError(`${account.email} ${refusal}`)
      const warningText = warning?.(account, stack)
      if (warningText) note(`Warning: ${warningText}`)
      const alreadyText = already?.(account, stack)
      const now = table.now()
      if (!alreadyText && !(await write(table, account, now, stack))) {
        throw new CommandError(
          `${account.email} was deleted or changed its address in the meantime; nothing was changed`,
        )
      }
      print(toLines`${account.email} ${alreadyText ?? (typeof done === 'function' ? done(account, stack, now) : done)}`)
      return 0
    },
  })

export const noNotice = 'The owner gets no mail about it.'
export const otherServices = toLines`Services that verify tokens only by the key set accept old ones until they expire (exp). Services that ask
/auth/me reject them at once.`

/** What nobody gets who asks for a mail. */
export const noMail = ({ outputs }: Stack): string =>
  outputs.MailFrom === undefined ? ' MAIL_FROM is not set: no reset is mailed.' : ''
