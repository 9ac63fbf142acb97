import type { DatabaseSync } from 'node:sqlite'
import { AwsError, type Service, textOf } from './service.ts'

interface Suppressed {
  reason: 'BOUNCE' | 'COMPLAINT'
  /** Seconds since the epoch. */
  at: number
}

/** Addresses that bounce or complain, with any label after a plus (Amazon SES, "Using the mailbox simulator"). */
const simulator = /^(bounce|complaint)(?:\+[^@]*)?@simulator\.amazonses\.com$/i

/**
 * Addresses that SES sends nothing to, because a mail bounced or its recipient complained.
 *
 * @param onSuppressed is called for each mail that is dropped
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
export type SuppressionList = ReturnType<typeof suppressionList>

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
