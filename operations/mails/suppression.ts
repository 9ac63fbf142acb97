import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  SESv2Client,
  type SuppressedDestination,
} from '@aws-sdk/client-sesv2'
import { command } from '../command-line/command.ts'
import { emailOf } from '../command-line/email.ts'
import { findStack, stackOptions } from '../command-line/stack.ts'

const details = `SES has one list for an account and a region. An address comes onto it when a mail to it bounces for good, or when
its reader reports one as spam. SES then takes mails to it and sends none: its owner gets no links, and nothing fails.`

export const suppressedCommand = command({
  summary: 'Says whether SES suppresses an address, and why.',
  operand: '<email>',
  options: stackOptions,
  details,
  async run(given, address) {
    const email = emailOf(address)
    const ses = new SESv2Client(findStack(given).client)
    const found = await unlessMissing(ses.send(new GetSuppressedDestinationCommand({ EmailAddress: email })))
    const stack = given.local ? '--local' : `--outputs ${given.outputs}`
    const suppressed = found?.SuppressedDestination
    console.log(suppressed ? told(email, suppressed, stack) : notSuppressed(email))
    return 0
  },
})

export const unsuppressCommand = command({
  summary: "Takes an address off SES's suppression list.",
  operand: '<email>',
  options: stackOptions,
  details: `${details}

Find out first that the mailbox is there, and that its owner wants these mails: bounces and complaints count against
the account's reputation, and SES puts the address back with the next one.`,
  async run(given, address) {
    const email = emailOf(address)
    const ses = new SESv2Client(findStack(given).client)
    const removed = await unlessMissing(ses.send(new DeleteSuppressedDestinationCommand({ EmailAddress: email })))
    const taken = `${email} is off the suppression list: SES mails it again. What was suppressed is not sent after the fact;
its owner asks for a new link.`
    console.log(removed === null ? notSuppressed(email) : taken)
    return 0
  },
})

const notSuppressed = (email: string): string => `SES does not suppress ${email}`

const reasons: Record<string, string> = {
  BOUNCE: 'a mail to it bounced for good',
  COMPLAINT: 'its reader reported a mail as spam',
}

function told(email: string, { Reason, LastUpdateTime }: SuppressedDestination, stack: string): string {
  const why = reasons[Reason ?? ''] ?? 'SES says so'
  return `SES suppresses ${email} since ${LastUpdateTime?.toISOString()}, because ${why} (${Reason}).
It gets no mail. When it should again: npm run mail -- unsuppress ${email} ${stack}`
}

/** Null where the address is not on the list. */
async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Error && error.name === 'NotFoundException') return null
    throw error
  }
}
