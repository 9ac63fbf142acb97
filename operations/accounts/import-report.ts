import type { Tally } from './import-accounts.ts'

/**
 * The progress of an import, in one line.
 *
 * @param total records of the file; null for stdin, which cannot be read twice
 * @param seconds since the first record
 */
export function progressOf(tally: Tally, total: number | null, seconds: number): string {
  const { records } = tally
  if (total === null) return `${records} read: ${counts(tally)}`
  const left = records === 0 ? '' : `, ${timeLeft((seconds / records) * (total - records))}`
  return `${records} of ${total} read: ${counts(tally)}${left}`
}

/** The result of an import or a dry run. */
export function reportOf(tally: Tally, isDry: boolean): string {
  const { records, imported, alreadyImported, leftOut, foreignHashes } = tally
  const done = isDry
    ? `${records} read: ${imported} would be imported, ${alreadyImported} imported earlier, ${leftOut} would be left out. Nothing was written.`
    : `${records} read: ${counts(tally)}`
  return foreignHashes === 0
    ? done
    : `${done}\nPassword hashes dropped, since no login can verify them: ${foreignHashes}`
}

const counts = ({ imported, alreadyImported, leftOut }: Tally): string =>
  `${imported} imported, ${alreadyImported} imported earlier, ${leftOut} left out`

const timeLeft = (seconds: number): string =>
  seconds < 60 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`
