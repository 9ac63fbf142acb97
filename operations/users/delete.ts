import type { AccountItem } from '../../accounts/account/attributes.ts'
import { markDays } from '../../accounts/address/deletion-marks.ts'
import { command } from '../command-line/command.ts'
import { CommandError } from '../command-line/failures.ts'
import { type Stack, stackOptions } from '../command-line/stack.ts'
import { ask, note, print, toLines } from '../command-line/terminal.ts'
import { accountOperand, findAccount } from './find-account.ts'
import { describeAccount } from './show.ts'

export const deleteCommand = command({
  summary: 'Deletes an account.',
  operand: accountOperand,
  options: {
    ...stackOptions,
    yes: { type: 'boolean', meaning: 'delete without asking' },
    'if-unverified': {
      type: 'boolean',
      meaning: `only while its address is not verified, and the account is no administrator's: for a
        loop over what list prints`,
    },
  },
  async run(options, named) {
    const { account, table, stack } = await findAccount(options, named)
    const onlyUnverified = options['if-unverified'] === true
    warnOfAdminEmail(account, stack)
    if (!options.yes) {
      await confirm([
        ...describeAccount(account, stack, new Date()),
        '',
        `Delete this account of ${stack.title} for good?`,
      ])
    }
    if (!(await table.remove(account, { onlyUnverified })) && (await table.find(account.email)) !== null) {
      throw new CommandError(`${account.email} belongs to another account by now; it was not deleted`)
    }
    print(toLines`${account.email} is deleted. ${remains}
${nextOwner(account, stack)}`)
    return 0
  },
})

/** Warns that the next owner of an address is an administrator. */
export function warnOfAdminEmail(account: AccountItem, stack: Stack): void {
  if (!makesAdmin(account, stack)) return
  note(
    `Warning: ADMIN_EMAIL is ${account.email}. Whoever registers it next is an administrator. Change that setting first.`,
  )
}

const remains = toLines`The owner gets no mail about it. What remains:
  - The worker drops queued mails to the address.
  - /auth/me rejects the access tokens at once. Services that verify tokens only by the key set accept them until they
    expire.
  - Counters under the address expire within about a day, log lines with the id when their retention ends.
  - For ${markDays} days a mark under pseudonyms of the address and the id keeps an import from bringing the account back.
  - Point-in-time recovery can restore the account for 35 days. Nothing erases it sooner.`

/** Whether people may register an address again; null where the outputs are of an earlier version, and do not say so. */
function isOpenTo(email: string, { outputs: { SignUp, SignUpDomains } }: Stack): boolean | null {
  if (SignUp === undefined) return null
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return SignUp === 'open' && (SignUpDomains === undefined || SignUpDomains.split(',').includes(domain))
}

/** What may become of the address of a deleted account. */
function nextOwner({ email }: AccountItem, stack: Stack): string {
  const isOpen = isOpenTo(email, stack)
  if (isOpen === false) return 'Nobody can register the address again. invite makes another account, with another id.'
  const unless = isOpen === null ? ', unless SIGN_UP or SIGN_UP_DOMAINS says otherwise' : ''
  return `Anyone can register the address again${unless}. That makes another account, with another id.`
}

/** Whether the next owner of an address may be an administrator by `ADMIN_EMAIL`: an invitation makes none. */
export const makesAdmin = ({ email }: Pick<AccountItem, 'email'>, stack: Stack): boolean =>
  email === stack.outputs.AdminEmail && isOpenTo(email, stack) !== false

/** Asks on the terminal. @throws {CommandError} when the answer is not yes, or there is no terminal */
async function confirm(question: readonly string[]): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CommandError('there is no terminal to ask on; pass --yes to delete without asking', 2)
  const answer = await ask(toLines`${question} (yes/no) `)
  if (answer.toLowerCase() !== 'yes') throw new CommandError('nothing was deleted')
}
