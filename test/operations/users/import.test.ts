import { expect, test } from 'vitest'
import { progressOf } from '../../../operations/users/file-work.ts'
import { countsOf, summaryOf } from '../../../operations/users/import.ts'
import { emptyTally } from '../../../operations/users/import-tally.ts'

const tally = { ...emptyTally(), records: 250, line: 251, imported: 200, alreadyImported: 40, leftOut: 10 }
const counts = '200 imported, 40 imported earlier, 10 left out'

test.each([
  ['the total and the minutes left', tally, 1000, 50, `250 of 1000 read: ${counts}, 3 min left`],
  ['seconds below a minute', tally, 1000, 19.9, `250 of 1000 read: ${counts}, 60 s left`],
  ['nothing left at the end', tally, 250, 50, `250 of 250 read: ${counts}, 0 s left`],
  ['no time left before the first record', { ...tally, records: 0 }, 1000, 0, `0 of 1000 read: ${counts}`],
  ['no total if the file cannot be read twice', tally, null, 50, `250 read: ${counts}`],
])('progress shows %s', (_, tally, total, seconds, line) => {
  expect(progressOf(tally, countsOf(tally, false), total, seconds)).toBe(line)
})

test('progress of a dry run says what would be imported', () => {
  expect(progressOf(tally, countsOf(tally, true), null, 50)).toBe(
    '250 read: 200 would be imported, 40 imported earlier, 10 would be left out',
  )
})

test('the report counts dropped and absent hashes and deleted accounts, if there are any', () => {
  expect(summaryOf({ ...tally, foreignHashes: 3, nullHashes: 2 }, true).join('\n')).toBe(
    [
      '250 read: 200 would be imported, 40 imported earlier, 10 would be left out. Nothing was written.',
      'Password hashes dropped, since no login can verify them: 3',
      'Without a password, since they have no password_hash: 2',
    ].join('\n'),
  )
  expect(summaryOf({ ...tally, hashes: { bcrypt: 1204, argon2: 1 }, weakHashes: 1200 }, false).join('\n')).toBe(
    [
      `250 read: ${counts}`,
      "argon2: 1 (log in as one of them before you open: if the functions' Node lacks it, --no-passwords)",
      'bcrypt: 1,204',
      "weaker than a tenth of today's: 1,200 (whoever gets the table guesses these first; each is renewed at its owner's next login)",
    ].join('\n'),
  )
  expect(summaryOf({ ...tally, deleted: 2 }, true).join('\n')).toBe(
    [
      '250 read: 200 would be imported, 40 imported earlier, 2 would be skipped as deleted, 10 would be left out. Nothing was written.',
      'Deleted accounts stay deleted. To import them all the same, pass --also-deleted.',
    ].join('\n'),
  )
})

test.each([
  [{}, []],
  [{ invited: 5 }, ['Invited, and without a link now, until invite or forgot-password mails one: 5']],
  [{ lostFactors: 4 }, ['With a second factor before, and without one now: 4']],
  [{ lostPasskeys: 5 }, ['With passkeys before, and without any now: 5']],
  [{ lostIdentities: 6 }, ['With logins by providers before, and without any now: 6']],
  [{ lackedIdentities: 7 }, ['Imported earlier, and without logins by providers that the file has (not changed): 7']],
])('the report says what was counted: %j', (counted, lines) => {
  expect(summaryOf({ ...tally, ...counted }, false)).toEqual([`250 read: ${counts}`, ...lines])
})
