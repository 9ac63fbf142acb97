import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { Name } from '../../accounts/account/shapes.ts'
import { Email } from '../../accounts/address/shapes.ts'
import { Language } from '../../shared/base/shapes.ts'
import { uuidv7 } from '../../shared/base/uuid.ts'
import { command, emailOf } from '../command-line/command.ts'
import { CommandError } from '../command-line/failures.ts'
import { findStack, type Stack, stackOptions } from '../command-line/stack.ts'
import { print } from '../command-line/terminal.ts'
import { Roles } from './account-record.ts'
import { eachRecord, fileOptions, workThrough } from './file-work.ts'
import { seenRecords } from './import-accounts.ts'
import { type InviteDeps, type Invitee, inviteAccount } from './invite-account.ts'
import { languageOf } from './language.ts'
import type { Numbered } from './lines.ts'
import { mailQueue } from './move.ts'
import { readRecords, recordKind } from './records.ts'
import { AccountTable } from './table.ts'

export const inviteCommand = command({
  summary: 'Opens an account, and mails a link by which its owner chooses a password.',
  operand: '[<email>]',
  options: {
    ...stackOptions,
    name: { type: 'string', value: 'TEXT', meaning: 'the name of the account, which its owner can change' },
    roles: { type: 'string', value: 'ROLES', meaning: 'its roles, separated by commas' },
    language: { type: 'string', value: 'TAG', meaning: 'the language of its mails, one of LANGUAGES' },
    file: { type: 'string', value: 'FILE', meaning: 'invite the people of a file, in place of one; - reads stdin' },
    ...fileOptions,
  },
  details: `The account waits for its owner for seven days: it has no password, and its address is not verified. The link proves the
mailbox. Until then forgot-password mails it again, with the same end. For an account that is invited already, this mails a new
link with a new end, and the old link is dead; name, roles and language change where they are given. delete takes an invitation
back, and revoke ends it. No invitation makes an administrator: run admin once it is accepted.

FILE is NDJSON (one JSON object a line) or CSV (RFC 4180; the first line names the columns), in UTF-8: email, and any of name, roles
(in CSV separated by spaces) and language. People with an invitation that has not expired are skipped: run the command again after
a failure, and nobody is mailed twice. Stay below the quota of mails that SES sends for you in 24 hours, and the rest of a day's mails:
what is over it waits, and fails in the end.

To send mails takes the policy that the output OperatorMailPolicy names, besides that of users.

--json prints {dry_run, email, invited_until}; of a file {dry_run, read, mails, invited_earlier, left_out}.`,
  async run({ file, name, roles, language, ...options }, address) {
    if ((address === undefined) === (file === undefined)) {
      throw new CommandError('pass an address, or --file FILE', 2)
    }
    const isOfFile = file !== undefined
    if (isOfFile && [name, roles, language].some(given => given !== undefined)) {
      throw new CommandError('name, roles and language of the people of a file stand in it', 2)
    }
    const email = isOfFile ? '' : emailOf(address ?? '')
    const given = { name: parsed('name', Name, name), roles: parsed('roles', Roles, roles?.split(',')) }
    const stack = findStack(options)
    if (stack.outputs.MailFrom === undefined) {
      throw new CommandError('MAIL_FROM is not set: nobody would get the mail')
    }
    const invitee = { email, ...given, language: language === undefined ? null : (languageOf(language, stack) ?? null) }
    const table = new AccountTable(stack)
    const deps = depsOf(stack, table)
    const status = await (isOfFile ? inviteFile(deps, stack, options, file) : inviteOne(deps, invitee, options))
    // Links that are asked for from now on are newer than the invitations'.
    if (!options['dry-run']) await table.passedTime()
    return status
  },
})

type Options = { 'dry-run'?: boolean; json?: boolean; format?: string }

function depsOf(stack: Stack, table: AccountTable): InviteDeps {
  const { now } = table
  return { table, now, newId: () => uuidv7(now().getTime(), randomBytes(10)), randomBytes, queueMail: mailQueue(stack) }
}

/** What an option says; null where it is missing. @throws {CommandError} */
function parsed<T>(option: string, schema: v.GenericSchema<unknown, T>, value: unknown): T | null {
  if (value === undefined) return null
  const result = v.safeParse(schema, value)
  if (!result.success) throw new CommandError(`--${option} ${result.issues[0].message}`, 2)
  return result.output
}

async function inviteOne(deps: InviteDeps, invitee: Invitee, options: Options): Promise<0> {
  const { email } = invitee
  const isDry = options['dry-run'] === true
  const result = await inviteAccount(deps, invitee, { isDry })
  if (result.outcome === 'has an account') throw new CommandError(`${email} ${hasAccount}`)
  const until = result.until.toISOString()
  const next = isDry ? 'Nothing was written.' : result.isLocked ? `${isLocked}.` : 'A mail with a link is on its way.'
  print(
    options.json
      ? JSON.stringify({ dry_run: isDry, email, invited_until: until })
      : `${email} ${isDry ? 'would be' : 'is'} invited until ${until}. ${next}`,
  )
  return 0
}

const isLocked = 'The account is locked and gets no mail: run unlock, and invite it again'
const hasAccount = 'has an account already'

const InvitationRecord = v.strictObject({
  email: Email,
  name: v.optional(v.nullable(Name), null),
  roles: v.optional(v.nullable(Roles), null),
  language: v.optional(v.nullable(Language), null),
})

const invitationKind = recordKind({ noun: 'Invitations', schema: InvitationRecord })

/** A tally before the first record. */
const emptyTally = () => ({
  records: 0,
  line: 0,
  /** On a dry run: people who would be invited. */
  invited: 0,
  /** Whose earlier invitation has not expired. */
  standing: 0,
  leftOut: 0,
})
type Tally = ReturnType<typeof emptyTally>

async function inviteFile(deps: InviteDeps, stack: Stack, options: Options, file: string): Promise<0 | 1> {
  const isDry = options['dry-run'] === true
  const tally = emptyTally()
  await workThrough(options, file, {
    kind: invitationKind,
    tally,
    run: (chunks, format, signal, onNote) =>
      invitePeople(deps, readRecords(chunks, format, invitationKind), { stack, isDry, tally, signal, onNote }),
    counts: () => countsOf(tally, isDry),
    summary: () => (options.json ? JSON.stringify(resultOf(tally, isDry)) : summaryOf(tally, isDry)),
    again: 'it skips who is invited already',
  })
  return tally.leftOut === 0 ? 0 : 1
}

interface Run {
  stack: Stack
  isDry: boolean
  tally: Tally
  signal: AbortSignal
  onNote(line: number, note: string): void
}

/** Invites the people of a file. Nobody is mailed twice, however often it runs. */
async function invitePeople(
  deps: InviteDeps,
  records: AsyncIterable<Numbered<v.InferOutput<typeof InvitationRecord>>>,
  run: Run,
): Promise<void> {
  const { isDry, tally } = run
  const checkRepeats = seenRecords()
  const leaveOut = (line: number, problem: string): undefined => {
    tally.leftOut += 1
    run.onNote(line, problem)
  }
  await eachRecord(records, run, ({ line, ...numbered }) => {
    if ('problem' in numbered) return leaveOut(line, numbered.problem)
    const { record } = numbered
    const repeated = checkRepeats({ email: record.email, id: null }, line)
    if (repeated) return leaveOut(line, repeated.problem)
    const invite = async () => {
      const language = record.language === null ? null : (languageOf(record.language, run.stack) ?? null)
      const result = await inviteAccount(deps, { ...record, language }, { skipsStanding: true, isDry })
      if (result.outcome === 'has an account') leaveOut(line, `${record.email} ${hasAccount}`)
      else if (result.outcome === 'stands') tally.standing += 1
      else if (result.isLocked) leaveOut(line, `${record.email}: ${isLocked}`)
      else tally.invited += 1
    }
    return invite().catch(error => {
      if (!(error instanceof CommandError)) throw error
      leaveOut(line, error.message)
    })
  })
}

const resultOf = ({ records, invited, standing, leftOut }: Tally, isDry: boolean) => ({
  dry_run: isDry,
  read: records,
  mails: invited,
  invited_earlier: standing,
  left_out: leftOut,
})

const summaryOf = (tally: Tally, isDry: boolean): string =>
  `${tally.records} read: ${countsOf(tally, isDry)}. ${mails(tally.invited, isDry)}`

const mails = (count: number, isDry: boolean): string => {
  const what = count === 1 ? '1 mail' : `${count} mails`
  return isDry ? `${what} would be sent. Nothing was written.` : `${what} ${count === 1 ? 'is' : 'are'} on the way.`
}

const countsOf = ({ invited, standing, leftOut }: Tally, isDry: boolean): string => {
  const wouldBe = isDry ? 'would be ' : ''
  return `${invited} ${wouldBe}invited, ${standing} invited earlier, ${leftOut} ${wouldBe}left out`
}
