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
  const { records, deleted, foreignHashes, nullHashes } = tally
  const lines = [
    isDry
      ? `${records} read: ${counts(tally, 'would be ')}. Nothing was written.`
      : `${records} read: ${counts(tally)}`,
  ]
  if (deleted > 0) lines.push('Deleted accounts stay deleted. To import them all the same, pass --also-deleted.')
  if (foreignHashes > 0) lines.push(`Password hashes dropped, since no login can verify them: ${foreignHashes}`)
  if (nullHashes > 0) lines.push(`Without a password, since password_hash is null: ${nullHashes}`)
  return lines.join('\n')
}

const counts = ({ imported, alreadyImported, deleted, leftOut }: Tally, wouldBe = ''): string =>
  [
    `${imported} ${wouldBe}imported`,
    `${alreadyImported} imported earlier`,
    ...(deleted > 0 ? [`${deleted} ${wouldBe}skipped as deleted`] : []),
    `${leftOut} ${wouldBe}left out`,
  ].join(', ')

const timeLeft = (seconds: number): string =>
  seconds < 60 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`
