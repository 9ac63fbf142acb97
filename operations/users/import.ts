import { markDays } from '../../accounts/address/deletion-marks.ts'
import { command } from '../command-line/command.ts'
import { findStack, stackOptions } from '../command-line/stack.ts'
import { ExistingAccounts } from './existing-accounts.ts'
import { fileOptions, workThrough } from './file-work.ts'
import { counted } from './hash-record.ts'
import { importAccounts } from './import-accounts.ts'
import { emptyTally, type Tally } from './import-tally.ts'
import { accountKind, accountRecords } from './records.ts'
import { AccountTable } from './table.ts'

export const importCommand = command({
  summary: 'Adds the accounts of a file.',
  operand: 'FILE',
  options: {
    ...stackOptions,
    ...fileOptions,
    'also-deleted': {
      type: 'boolean',
      meaning: `also import accounts that were deleted after they were opened; their old
        access tokens stay revoked`,
    },
    'no-passwords': {
      type: 'boolean',
      meaning: `also import accounts without a password_hash, and drop hashes of other forms: nobody can
        log in to these accounts until the password is reset by mail`,
    },
    'without-factors': {
      type: 'boolean',
      meaning: `also import accounts whose second factor is encrypted under another key than the stack's,
        without it: the password alone logs in`,
    },
    locked: { type: 'boolean', meaning: 'lock each account that is imported: nobody can log in to it until unlock' },
  },
  details: `FILE is NDJSON (one JSON object a line) or CSV (RFC 4180; the first line names the columns), in UTF-8. - reads stdin.
The members of an object, or the columns:

  email           required; converted to its canonical form
  password_hash   required: as Django, passlib, Keycloak, Better Auth, Firebase, ASP.NET Identity, WordPress and others write
                  it; docs/migrate.md lists the forms. null in NDJSON: an account without a password
  name            text, or empty
  language        the language of its mails, as a tag such as de: at most 35 letters, digits and hyphens, kept as written
  invited_until   when the invitation of an invited account ends, in place of a password_hash; its link is not imported
  is_verified     true or false (in CSV also t and f, 1 and 0); by default false
  is_admin        like is_verified
  created_at      a time such as 2026-03-01T12:00:00Z, or as PostgreSQL writes it: 2026-03-01 12:00:00.123456+00;
                  UTC if it has no offset; by default now
  id              1 to 128 letters, digits and characters of _ . : | -, or an integer; the subject of access
                  tokens, kept as written; by default a new one
  token_version   an integer from 0; by default 0. The account gets a higher one
  locked_at       the time of the lock; by default the account is not locked
  roles           an array; in CSV separated by spaces: ten at most, which say what the account may do elsewhere
  second_factor   like is_verified: the account had one. Without the next members the owner sets one up again

What export --with-hashes writes besides, in NDJSON alone: former_password_hash, reset_verifies, and, all or none and with id,
totp_secret, totp_last_step, recovery_codes, wrong_codes, factor_key; all or none of passkeys, passkey_handle, passkey_rp_id. A
second factor is imported where factor_key is the stack's key; an account whose is another's is left out. Passkeys are imported
with a verified address, where passkey_rp_id is the stack's; others are left away and counted.

identities, in NDJSON alone: at most five accounts at providers that log in to this one, each an object with issuer and subject
(iss and sub of its id tokens), and, if they are known, email and connected_at. They are imported with a verified address, else left
away and counted. A line whose identity another account or line has is left out. An account that is imported already
gets none: the report counts these.

People log in with their old passwords; the first login replaces the old hash by one of today's form. The import never
changes an existing account. It leaves out a record that it cannot import, and prints its line number and the reason.
After a failure run the command again: it skips what is imported already. docs/migrate.md shows how to write the file.

A deleted account leaves a mark for ${markDays} days. The import skips a record with the id of a deleted account, or, if the
record has no id, with its address. It prints the line number; such records do not make it fail. A record whose created_at
is later than the deletion is imported. --also-deleted imports them all.

--json prints {dry_run, read, imported, imported_earlier, skipped_as_deleted, left_out, foreign_hashes, null_hashes, hashes,
weak_hashes, invited, second_factors_lost, passkeys_lost, identities_lost, identities_not_added}; the reasons are on stderr,
line by line.`,
  async run(options, file) {
    const isDry = options['dry-run'] === true
    const acceptsNoPassword = options['no-passwords'] === true
    const stack = findStack(options)
    const table = new AccountTable(stack)
    const tally = emptyTally()
    const existing = new ExistingAccounts()
    await workThrough(options, file, {
      kind: accountKind,
      tally,
      async prepare(signal, show) {
        show(() => `Reading the table: ${existing.count} accounts`)
        await existing.read(table, signal)
      },
      run: (chunks, format, signal, onNote) =>
        importAccounts(accountRecords(chunks, format, { takesAnyHash: acceptsNoPassword }), {
          table,
          isDry,
          existing,
          acceptsNoPassword,
          acceptsDeleted: options['also-deleted'] === true,
          acceptsNoFactor: options['without-factors'] === true,
          factorKey: stack.outputs.FactorKey ?? null,
          passkeyRpId: stack.outputs.PasskeyRpId ?? null,
          locks: options.locked === true,
          hashCost: Number(stack.outputs.HashCost),
          tally,
          signal,
          onNote,
        }),
      counts: () => countsOf(tally, isDry),
      summary: () => (options.json ? JSON.stringify(resultOf(tally, isDry)) : summaryOf(tally, isDry)),
      again: 'it skips what is imported already',
    })
    return tally.leftOut === 0 ? 0 : 1
  },
})

/** The result for programs. On a dry run it says what an import would do. */
const resultOf = (tally: Tally, isDry: boolean) => ({
  dry_run: isDry,
  read: tally.records,
  imported: tally.imported,
  imported_earlier: tally.alreadyImported,
  skipped_as_deleted: tally.deleted,
  left_out: tally.leftOut,
  foreign_hashes: tally.foreignHashes,
  null_hashes: tally.nullHashes,
  hashes: tally.hashes,
  weak_hashes: tally.weakHashes,
  invited: tally.invited,
  second_factors_lost: tally.lostFactors,
  passkeys_lost: tally.lostPasskeys,
  identities_lost: tally.lostIdentities,
  identities_not_added: tally.lackedIdentities,
})

/** The result of an import or a dry run. */
export function summaryOf(tally: Tally, isDry: boolean): string[] {
  const { records, deleted, foreignHashes, nullHashes, weakHashes, invited } = tally
  const { lostFactors, lostPasskeys, lostIdentities, lackedIdentities } = tally
  const lines = [`${records} read: ${countsOf(tally, isDry)}${isDry ? '. Nothing was written.' : ''}`]
  if (deleted > 0) lines.push('Deleted accounts stay deleted. To import them all the same, pass --also-deleted.')
  for (const [form, count] of Object.entries(tally.hashes).sort())
    lines.push(`${form}: ${counted(count)}${form === 'argon2' ? ` (${beforeOpening})` : ''}`)
  if (weakHashes > 0) lines.push(`weaker than a tenth of today's: ${counted(weakHashes)} (${renewal})`)
  if (foreignHashes > 0) lines.push(`Password hashes dropped, since no login can verify them: ${foreignHashes}`)
  if (nullHashes > 0) lines.push(`Without a password, since they have no password_hash: ${nullHashes}`)
  if (invited > 0) lines.push(`Invited, and without a link now, until invite or forgot-password mails one: ${invited}`)
  if (lostFactors > 0) lines.push(`With a second factor before, and without one now: ${lostFactors}`)
  if (lostPasskeys > 0) lines.push(`With passkeys before, and without any now: ${lostPasskeys}`)
  if (lostIdentities > 0) lines.push(`With logins by providers before, and without any now: ${lostIdentities}`)
  if (lackedIdentities > 0)
    lines.push(`Imported earlier, and without logins by providers that the file has (not changed): ${lackedIdentities}`)
  return lines
}

/** A Node may be built without argon2. */
const beforeOpening = "log in as one of them before you open: if the functions' Node lacks it, --no-passwords"
const renewal = "whoever gets the table guesses these first; each is renewed at its owner's next login"

export function countsOf({ imported, alreadyImported, deleted, leftOut }: Tally, isDry: boolean): string {
  const wouldBe = isDry ? 'would be ' : ''
  return [
    `${imported} ${wouldBe}imported`,
    `${alreadyImported} imported earlier`,
    ...(deleted > 0 ? [`${deleted} ${wouldBe}skipped as deleted`] : []),
    `${leftOut} ${wouldBe}left out`,
  ].join(', ')
}
