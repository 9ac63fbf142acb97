import { randomBytes } from 'node:crypto'
import { canonicalEmail } from '../accounts/address/address.ts'
import { Checklist, Unexpected } from './command-line/checklist.ts'
import { command, jsonOption, type OptionValues, run } from './command-line/command.ts'
import { CommandError } from './command-line/failures.ts'
import { ask, print, toLines } from './command-line/terminal.ts'
import type { FindLink } from './smoke/account.ts'
import { anyOrigin, checkStage, type Stage } from './smoke/checks.ts'
import { linkFromInbox } from './smoke/registration.ts'

const options = {
  inbox: { type: 'string', value: 'URL', meaning: 'the local inbox, to read the mail there' },
  email: {
    type: 'string',
    value: 'ADDRESS',
    meaning: 'an address whose mail you can read; the command asks for the link in it',
  },
  catalogue: {
    type: 'string',
    value: 'URL',
    meaning: "the catalogue's address at CloudFront, the output CatalogueUrl; empty if there is none",
  },
  origin: {
    type: 'string',
    value: 'URL',
    meaning: 'an origin that CORS_ORIGINS lists; by default, and for *, any',
  },
  audience: { type: 'string', value: 'NAME', meaning: 'the setting TOKEN_AUDIENCE; by default gatehouse' },
  ...jsonOption,
} as const

const smoke = command({
  summary: 'Checks a deployed or local API from outside: a line for each check.',
  operand: '<url>',
  options,
  details: `<url> is the output BaseUrl; for the local system it is http://localhost:3000, with --inbox http://localhost:3001. Run it
first after every deploy: it checks what only AWS can show. It registers an account, and deletes it again if it can log
in. Without --inbox and --email the address of the account is SES's mailbox simulator, which accepts every mail and shows
none. Where only operators open accounts, it checks that, and skips what needs an account. The exit code is 1 when a
check fails.

--json prints {ok, failed, skipped, checks: [{rule, result, reason?}], remaining_account}.`,
  async run(options, url) {
    const baseUrl = baseUrlOf(url)
    const checklist = new Checklist(options.json ? () => {} : print)
    const remaining = await checkStage(checklist, {
      ...registrationOf(options),
      baseUrl,
      cdnUrl: options.catalogue ? baseUrlOf(options.catalogue.replace(/\/catalogue\/?$/, '')) : null,
      origin: options.origin === undefined || options.origin === '*' ? anyOrigin : options.origin,
      audience: options.audience ?? 'gatehouse',
    })
    const { counts, results } = checklist
    if (options.json) print(JSON.stringify({ ...counts, checks: results, remaining_account: remaining }))
    else {
      print(`${counts.ok} ok, ${counts.failed} failed, ${counts.skipped} skipped`)
      if (remaining !== null) print(remains(remaining, baseUrl))
    }
    return counts.failed === 0 ? 0 : 1
  },
})

/** The command that deletes the account, with the file names of docs/deploy.md. */
function remains(email: string, baseUrl: string): string[] {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname)
  const stack = isLocal ? '--local' : '--outputs outputs.json'
  return toLines`The account ${email} remains, because it could not log in. To delete it:\nnpm run users -- delete ${email} --yes ${stack}`
}

function registrationOf({
  inbox,
  email,
}: OptionValues<typeof options>): Pick<Stage, 'email' | 'otherEmail' | 'findLink'> {
  const label = randomBytes(6).toString('hex')
  const otherEmail = inbox === undefined ? null : `smoke-${label}@example.org`
  const findLink: FindLink | null = inbox === undefined ? null : (...sought) => linkFromInbox(inbox, ...sought)
  if (email !== undefined) {
    const address = canonicalEmail(email)
    if (address === null) throw new CommandError(`'${email}' is not an email address`, 2)
    return { email: address, otherEmail, findLink: findLink ?? askForLink }
  }
  if (inbox !== undefined) return { email: `smoke-${label}@example.com`, otherEmail, findLink }
  // Mails to the simulator work in the sandbox too, and do not count (Amazon SES, "Using the mailbox simulator").
  return { email: `success+${label}@simulator.amazonses.com`, otherEmail, findLink }
}

async function askForLink(): Promise<string> {
  const link = await ask('The link in the mail: ')
  if (!URL.canParse(link)) throw new Unexpected('the link in the mail', link || 'nothing')
  return link
}

function baseUrlOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/$/, '')
  throw new CommandError(`'${text}' is not a URL such as https://api.example.com`, 2)
}

await run('smoke', '', { '': smoke })
