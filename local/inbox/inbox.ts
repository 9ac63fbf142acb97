import { EventEmitter } from 'node:events'
import type { DatabaseSync } from 'node:sqlite'
import { canonicalEmail } from '../../accounts/address/address.ts'

/** A mail that SES was asked to send. */
export interface Mail {
  messageId: string
  from: string
  destination: { to: string[]; cc: string[]; bcc: string[] }
  replyTo: string[]
  subject: string
  body: { text?: string; html?: string }
  /** Seconds since the epoch. */
  at: number
}

const isTo = ({ destination }: Mail, to: string): boolean =>
  Object.values(destination)
    .flat()
    .some(address => canonicalEmail(address) === to)

/** How many mails are kept: enough for people, and few enough after a load test. */
const kept = 1000

export class Inbox {
  readonly #database: DatabaseSync
  readonly #arrivals = new EventEmitter<{ mail: [Mail] }>()

  constructor(database: DatabaseSync) {
    this.#database = database
    database.exec('CREATE TABLE IF NOT EXISTS mails (number INTEGER PRIMARY KEY, mail TEXT NOT NULL)')
    this.#arrivals.setMaxListeners(0)
  }

  add(mail: Mail): void {
    const { lastInsertRowid } = this.#database.prepare('INSERT INTO mails (mail) VALUES (?)').run(JSON.stringify(mail))
    this.#database.prepare('DELETE FROM mails WHERE number <= ?').run(Number(lastInsertRowid) - kept)
    this.#arrivals.emit('mail', mail)
  }

  /** @param to only those to this address, in canonical form */
  list(to?: string): Mail[] {
    const rows = this.#database.prepare('SELECT mail FROM mails ORDER BY number').all()
    const all = rows.map(({ mail }) => JSON.parse(String(mail)) as Mail)
    return to === undefined ? all : all.filter(mail => isTo(mail, to))
  }

  find(messageId: string): Mail | null {
    const row = this.#database.prepare("SELECT mail FROM mails WHERE mail ->> 'messageId' = ?").get(messageId)
    return row === undefined ? null : (JSON.parse(String(row.mail)) as Mail)
  }

  clear(to?: string): void {
    if (to === undefined) {
      this.#database.exec('DELETE FROM mails')
      return
    }
    const remove = this.#database.prepare("DELETE FROM mails WHERE mail ->> 'messageId' = ?")
    for (const { messageId } of this.list(to)) remove.run(messageId)
  }

  /** Changes with the list. */
  version(to?: string): string {
    if (to !== undefined) {
      const mails = this.list(to)
      return `${mails.at(-1)?.messageId ?? ''} ${mails.length}`
    }
    const [last, count] = ["(SELECT mail ->> 'messageId' FROM mails ORDER BY number DESC LIMIT 1)", 'count(*)']
    const row = this.#database.prepare(`SELECT ${last} AS last, ${count} AS count FROM mails`).get()
    return `${row?.last ?? ''} ${row?.count}`
  }

  /** Calls back for each new mail. @returns a function that stops this */
  onArrival(callback: (mail: Mail) => void): () => void {
    this.#arrivals.on('mail', callback)
    return () => this.#arrivals.off('mail', callback)
  }
}
