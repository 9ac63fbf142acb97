import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { MailQueue } from '../../accounts/mail/queue.ts'
import { command, emailOf } from '../command-line/command.ts'
import { CommandError } from '../command-line/failures.ts'
import { type Stack, stackOptions } from '../command-line/stack.ts'
import { note, print, toLines } from '../command-line/terminal.ts'
import { warnOfAdminEmail } from './delete.ts'
import { accountOperand, findAccount, isAddress } from './find-account.ts'

export const moveCommand = command({
  summary: 'Moves an account to another address, for an owner who has lost the mailbox to a thief.',
  operand: `${accountOperand} <new-email>`,
  options: stackOptions,
  details: `Be sure who asks: whoever has the mailbox of <new-email> gets the account. Its password, second factor, passkeys, logins
by providers, access tokens, sessions and links are revoked, and no undo link that was mailed before works. The account is not
verified until a reset link to <new-email> is used. An account that is not locked gets one at once; the owner of a locked one
asks for it after unlock. A verified address that the account leaves is told that the people who run the service have moved
it, and not where to.

An account with an unverified address at <new-email> gives way: it is gone. To send mails takes the policy that the output
OperatorMailPolicy names, besides that of users.`,
  async run(options, named = '', newEmail) {
    const to = emailOf(newEmail ?? '')
    const { account, table, stack } = await findAccount(options, named).catch(explainRepeat(named, to))
    warnOfAdminEmail(account, stack)
    const { MailFrom: mailFrom = null } = stack.outputs
    const { moved, replaced } = await table.move(account, to, { mailFrom, queueMail: mailQueue(stack) })
    if (replaced) note(`Warning: ${to} had an account that was not verified (${replaced.id}): it is gone`)
    const link =
      moved.lockedAt !== null
        ? 'It is still locked, and gets no link: after unlock, have the owner ask for a reset.'
        : mailFrom === null
          ? 'No link was mailed, because MAIL_FROM is not set.'
          : 'A reset link is on its way to it.'
    const told = moved.isVerified && mailFrom !== null ? 'is told' : 'gets no mail about it'
    print(toLines`${moved.email} has the address ${to} now (id ${moved.id}). It has no password, second factor, passkey, login by a
provider or session, and is not verified until a reset link to it is used. ${link}
The address ${moved.email} ${told}.`)
    return 0
  },
})

/** Whoever runs the command again, after it was interrupted, finds no account at the address that it has left. */
const explainRepeat =
  (named: string, to: string) =>
  (error: unknown): never => {
    if (!(error instanceof CommandError) || error.status === 2 || !isAddress(named)) throw error
    throw new CommandError(`${error.message}. Did an earlier run move it? Then show ${to} has its id`)
  }

/** Sends messages to the queue of mails. */
export const mailQueue = ({ client, outputs }: Stack): MailQueue => {
  const sqs = new SQSClient(client)
  return async (message, DelaySeconds) => {
    const input = { QueueUrl: outputs.MailQueue, DelaySeconds, MessageBody: JSON.stringify(message) }
    await sqs.send(new SendMessageCommand(input))
  }
}
