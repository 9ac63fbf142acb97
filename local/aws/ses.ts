import { randomUUID } from 'node:crypto'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Inbox, Mail } from '../inbox/inbox.ts'
import { AwsError, type Service, textOf } from './service.ts'

/**
 * SES's SendEmail (API version 2010-12-01). Mails go to the inbox. Every identity counts as verified, and there is no sandbox.
 *
 * Mails to suppressed addresses are accepted and dropped. The addresses of SES's mailbox simulator bounce and complain
 * as on AWS, and are then suppressed, unlike on AWS, so that people can try it.
 */
export function ses(inbox: Inbox, suppressed: SuppressionList): Service {
  return async ({ input }) => {
    const list = (name: string): string[] =>
      Object.entries(input).flatMap(([field, value]) => (field.startsWith(`${name}.member.`) ? [String(value)] : []))
    const destination = {
      to: list('Destination.ToAddresses'),
      cc: list('Destination.CcAddresses'),
      bcc: list('Destination.BccAddresses'),
    }
    const recipients = Object.values(destination).flat()
    const from = textOf(input, 'Source')
    const text = textOf(input, 'Message.Body.Text.Data')
    const html = textOf(input, 'Message.Body.Html.Data')

    if (recipients.length === 0) throw refusal("Missing required header 'To'.")
    // Amazon SES, "Service quotas": recipients per message.
    if (recipients.length > 50) throw refusal('Recipient count exceeds 50.')
    for (const address of [from, ...recipients]) {
      if (!/@[^@\s]+[^@\s>]>?$/.test(address)) throw refusal("Missing final '@domain'")
      // SES does not support SMTPUTF8: the local part must be ASCII.
      if (/[^\x20-\x7e]/.test(address)) throw refusal('Local address contains control or whitespace')
    }
    if (text === '' && html === '') throw new AwsError(400, 'ValidationError', 'The message has no body.')

    const messageId = randomUUID()
    const isDelivered = recipients.filter(address => suppressed.deliver(address)).length > 0
    const mail: Mail = {
      messageId,
      from,
      destination,
      replyTo: list('ReplyToAddresses'),
      subject: textOf(input, 'Message.Subject.Data'),
      body: { ...(text && { text }), ...(html && { html }) },
      at: Math.floor(Date.now() / 1000),
    }
    if (isDelivered) inbox.add(mail)
    return {
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body:
        '<SendEmailResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/">' +
        `<SendEmailResult><MessageId>${messageId}</MessageId></SendEmailResult>` +
        `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></SendEmailResponse>`,
    }
  }
}

const refusal = (message: string): AwsError => new AwsError(400, 'InvalidParameterValue', message)

interface Suppressed {
  reason: 'BOUNCE' | 'COMPLAINT'
  /** Seconds since the epoch. */
  at: number
}

/** Addresses that bounce or complain, with any label after a plus (Amazon SES, "Using the mailbox simulator"). */
const simulator = /^(bounce|complaint)(?:\+[^@]*)?@simulator\.amazonses\.com$/i

/**
 * SES's suppression list: addresses that bounced or complained.
 *
 * @param onSuppressed called for each dropped mail
 */
export function suppressionList(database: DatabaseSync, onSuppressed: (address: string) => void) {
  database.exec(
    'CREATE TABLE IF NOT EXISTS suppressed (address TEXT PRIMARY KEY, reason TEXT NOT NULL, at INTEGER NOT NULL)',
  )
  const find = (address: string): Suppressed | null => {
    const row = database.prepare('SELECT reason, at FROM suppressed WHERE address = ?').get(address.toLowerCase())
    return row ? { reason: row.reason as Suppressed['reason'], at: Number(row.at) } : null
  }
  return {
    find,
    all: () => database.prepare('SELECT address, reason, at FROM suppressed').all(),
    /** Puts back what `all` gave. */
    restore(rows: Record<string, SQLOutputValue>[]): void {
      database.exec('DELETE FROM suppressed')
      const add = database.prepare('INSERT INTO suppressed (address, reason, at) VALUES (:address, :reason, :at)')
      for (const row of rows) add.run(row)
    },
    remove: (address: string) =>
      database.prepare('DELETE FROM suppressed WHERE address = ?').run(address.toLowerCase()),
    /** Delivers a mail. Adds the address to the list if it bounces or complains. @returns whether the mail arrives */
    deliver(recipient: string): boolean {
      const address = recipient.toLowerCase()
      const isSuppressed = find(address) !== null
      if (isSuppressed) onSuppressed(address)
      const fate = simulator.exec(address)?.[1]
      if (isSuppressed || fate === undefined) return !isSuppressed
      const [reason, at] = [fate === 'bounce' ? 'BOUNCE' : 'COMPLAINT', Math.floor(Date.now() / 1000)]
      database.prepare('INSERT INTO suppressed (address, reason, at) VALUES (?, ?, ?)').run(address, reason, at)
      // A complaint means that the mail arrived.
      return fate === 'complaint'
    },
  }
}
type SuppressionList = ReturnType<typeof suppressionList>

/** GetSuppressedDestination and DeleteSuppressedDestination of SES's second API. */
export function sesv2(list: SuppressionList): Service {
  return async ({ action, input }) => {
    const address = textOf(input, 'EmailAddress')
    const found = list.find(address)
    if (!found)
      throw new AwsError(404, 'NotFoundException', `Email address ${address} does not exist on your suppression list.`)
    const shown = { SuppressedDestination: { EmailAddress: address, Reason: found.reason, LastUpdateTime: found.at } }
    if (action === 'DeleteSuppressedDestination') list.remove(address)
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action === 'GetSuppressedDestination' ? shown : {}),
    }
  }
}
