import type { DatabaseSync } from 'node:sqlite'
import { accountKinds } from '../shared/base/families.ts'
import type { startAws } from './aws/aws.ts'
import type { Tables } from './aws/tables.ts'
import type { Clock } from './clock/clock.ts'
import type { Inbox } from './inbox/inbox.ts'
import { StartError } from './start-error.ts'

/** Items that a reset puts back at most: several times those of ACCOUNTS_FILE, and few enough to be read at each start. */
const most = 5000

interface ResetParts extends Pick<Awaited<ReturnType<typeof startAws>>, 'queues' | 'suppressed'> {
  tables: Tables
  inbox: Inbox
  clock: Clock
  database: DatabaseSync
}

/** Refuses the data directory in which a reset came to no end. @throws {StartError} */
export function refuseHalfReset(database: DatabaseSync): void {
  database.exec('CREATE TABLE IF NOT EXISTS resetting (id INTEGER PRIMARY KEY)')
  if (database.prepare('SELECT id FROM resetting').get() === undefined) return
  throw new StartError('a reset was killed here: use a new DATA_DIR')
}

/**
 * Reads what is there when the system is ready.
 *
 * @returns puts it back, while nothing runs: it gives the number of accounts, or null where there is too much to put back
 */
export async function resetOf({ tables, queues, suppressed, inbox, clock, database }: ResetParts) {
  const contents = await tables.read(most)
  const atStart = { suppressed: suppressed.all(), ahead: clock.ahead() }
  return async (): Promise<number | null> => {
    if (contents === null) return null
    // It is there already where a reset before this one failed.
    database.exec('INSERT OR IGNORE INTO resetting (id) VALUES (1)')
    await tables.restore(contents)
    queues.purge()
    database.exec('BEGIN')
    inbox.clear()
    suppressed.restore(atStart.suppressed)
    clock.set(atStart.ahead)
    database.exec('DELETE FROM resetting')
    database.exec('COMMIT')
    return [...contents.values()].flat().filter(({ key }) => String(key?.S).startsWith(accountKinds.Accounts)).length
  }
}
