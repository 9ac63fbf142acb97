import { noPassword } from '../../accounts/account/account.ts'
import type { AccountRecord } from './account-record.ts'
import { readHash } from './hash-record.ts'

/** A tally before the first record. */
export const emptyTally = () => ({
  /** Records read so far. */
  records: 0,
  /** The line that the last of them begins on. */
  line: 0,
  /** On a dry run: accounts that would be imported. */
  imported: 0,
  /** Imported by an earlier run. */
  alreadyImported: 0,
  /** Skipped, because they were deleted after they were opened. */
  deleted: 0,
  leftOut: 0,
  /** Imported accounts whose password hash was dropped, because no login can verify it. */
  foreignHashes: 0,
  /** Imported accounts for which the file has no password hash. */
  nullHashes: 0,
  /** Imported hashes, by the name of their form. */
  hashes: {} as Record<string, number>,
  /** Imported hashes that cost less than a tenth of new ones. */
  weakHashes: 0,
  /** Imported accounts that wait for their owners. */
  invited: 0,
  /** Imported accounts that had a second factor, and now have none. */
  lostFactors: 0,
  /** Imported accounts that had passkeys, and now have none. */
  lostPasskeys: 0,
  /** Imported accounts that had identities, and now have none. */
  lostIdentities: 0,
  /** Accounts of an earlier run that lack identities which the file has. */
  lackedIdentities: 0,
})
export type Tally = ReturnType<typeof emptyTally>

/**
 * Counts the form of an imported account's hash, and what the account does not have any more.
 *
 * @param hashCost of new hashes, as bcrypt's power of two
 */
export function countImported(record: AccountRecord, fitted: AccountRecord, tally: Tally, hashCost: number): void {
  const hash = fitted.password_hash ? readHash(fitted.password_hash) : null
  if (hash !== null) tally.hashes[hash.name] = (tally.hashes[hash.name] ?? 0) + 1
  if (hash !== null && hash.steps < 2 ** hashCost / 10) tally.weakHashes += 1
  const { password_hash, invited_until } = record
  if (password_hash === noPassword) tally.foreignHashes += 1
  if (invited_until !== null) tally.invited += 1
  else if (password_hash === null || password_hash === undefined) tally.nullHashes += 1
  if ((record.second_factor || record.totp_secret !== null) && fitted.totp_secret === null) tally.lostFactors += 1
  if (record.passkeys?.length && !fitted.passkeys?.length) tally.lostPasskeys += 1
  if (record.identities?.length && !fitted.identities?.length) tally.lostIdentities += 1
}
