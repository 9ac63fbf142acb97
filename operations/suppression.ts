import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  SESv2Client,
  type SuppressedDestination,
} from '@aws-sdk/client-sesv2'
import { command } from './command-line/command.ts'
import { emailOf } from './command-line/email.ts'
import { findStack, stackOptions } from './command-line/stack.ts'

const details = `SES has one suppression list for an account and a region. It adds an address when a mail to it bounces for good, or when
the recipient reports one as spam. From then on SES accepts mails to the address but sends none: the owner gets no links,
and nothing fails.`

export const suppressedCommand = command({
  summary: 'Says whether SES suppresses an address, and why.',
  operand: '<email>',
  options: stackOptions,
  details,
  async run(options, address) {
    const email = emailOf(address)
    const ses = new SESv2Client(findStack(options).client)
    const found = await unlessMissing(ses.send(new GetSuppressedDestinationCommand({ EmailAddress: email })))
    const stack = options.local ? '--local' : `--outputs ${options.outputs}`
    const suppressed = found?.SuppressedDestination
    console.log(suppressed ? describe(email, suppressed, stack) : notSuppressed(email))
    return 0
  },
})

export const unsuppressCommand = command({
  summary: "Takes an address off SES's suppression list.",
  operand: '<email>',
  options: stackOptions,
  details: `${details}

First make sure that the mailbox exists, and that its owner wants these mails: bounces and complaints count against the
account's reputation, and after the next one SES puts the address back.`,
  async run(options, address) {
    const email = emailOf(address)
    const ses = new SESv2Client(findStack(options).client)
    const removed = await unlessMissing(ses.send(new DeleteSuppressedDestinationCommand({ EmailAddress: email })))
    const taken = `${email} is off the suppression list: SES mails it again. Suppressed mails are not sent later: the owner
asks for a new link.`
    console.log(removed === null ? notSuppressed(email) : taken)
    return 0
  },
})

const notSuppressed = (email: string): string => `SES does not suppress ${email}`

const reasons: Record<string, string> = {
  BOUNCE: 'a mail to it bounced for good',
  COMPLAINT: 'the recipient reported a mail as spam',
}

function describe(email: string, { Reason, LastUpdateTime }: SuppressedDestination, stack: string): string {
  const reason = reasons[Reason ?? '']
  return `SES has suppressed ${email} since ${LastUpdateTime?.toISOString()}${reason ? `, because ${reason}` : ''} (${Reason}).
It gets no mail. To take it off the list: npm run mail -- unsuppress ${email} ${stack}`
}

/** Awaits a call. @returns null when the address is not on the list */
async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Error && error.name === 'NotFoundException') return null
    throw error
  }
}
