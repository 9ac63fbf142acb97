import { createHash, randomBytes } from 'node:crypto'
import { scopes } from '../accounts/application/authorization-request.ts'
import { type Client, findClient, isPublic } from '../accounts/application/client.ts'
import {
  type Fault,
  faultOfLogin,
  faultOfLogout,
  faultOfReturn,
  noSuchClient,
  toList,
} from '../api/authorization-faults.ts'
import type { Stated } from '../infra/settings/checks.ts'
import { clashingIds, readClients, stateClient } from '../infra/settings/clients.ts'
import { settingsTable } from '../infra/settings/settings.ts'
import { fallbacks } from '../local/local-settings.ts'
import { command, jsonOption, type OptionValues, run } from './command-line/command.ts'
import { CommandError } from './command-line/failures.ts'
import { addressOf, changeList, type FoundList, findList, headingOf, toOption } from './command-line/lists.ts'
import { note, print, toLines } from './command-line/terminal.ts'

const stageOption = {
  stage: {
    type: 'string',
    value: 'NAME',
    meaning:
      'the stage whose file has the list. Without it OIDC_CLIENTS of the environment,\nor what `npm start` has without that',
  },
} as const

const details = `The applications that log people in are the setting OIDC_CLIENTS. These commands print what it becomes, and change no file but that of --to.`

const newCommand = command({
  summary: 'Makes an application: prints the setting and, once, its secret with the lines for its developers.',
  operand: '<id>',
  options: {
    redirect: {
      type: 'string',
      multiple: true,
      value: 'ADDRESS',
      meaning: 'where a login leads. As often as there are such addresses',
    },
    name: { type: 'string', value: 'TEXT', meaning: 'what people read of it. Otherwise its id' },
    public: { type: 'boolean', meaning: 'an app or a page, which cannot keep a secret: it gets none' },
    api: { type: 'boolean', meaning: 'your own services take its access tokens' },
    unverified: { type: 'boolean', meaning: 'people may log in whose address is not verified' },
    logout: { type: 'string', multiple: true, value: 'ADDRESS', meaning: 'where a logout may lead' },
    'pkce-optional': { type: 'boolean', meaning: 'it has a secret, but no PKCE. See docs/security.md' },
    home: { type: 'string', value: 'ADDRESS', meaning: 'where it begins: links in mails lead back there' },
    ...stageOption,
    ...toOption,
  },
  details,
  async run(options, id) {
    const { redirect = [], logout = [], name = id, home } = options
    if (redirect.length === 0) {
      throw new CommandError('new needs --redirect ADDRESS; see npm run clients -- new --help', 2)
    }
    const secret = options.public ? null : newSecret()
    const added = {
      ...{ id, name, redirects: redirect },
      ...(logout.length > 0 && { logouts: logout }),
      ...(home !== undefined && { home }),
      ...(secret !== null && { secrets: [hashOf(secret)] }),
      ...(options.api && { api: true }),
      ...(options.unverified && { unverified: true }),
      ...(options['pkce-optional'] && { pkce: 'optional' }),
    }
    const changed = change(options, ({ entries }) => [...entries, added])
    const heading = `For the developers of ${name}`
    if (options.to === undefined) {
      const once = secret === null ? '' : '. The secret is shown only here'
      const lines = linesFor(id, secret, changed, options.stage)
      print(toLines`${settingOf(changed)}\n\n${heading}${once}:\n\n${lines}`)
      return 0
    }
    if (secret !== null) print(secret)
    note([`${heading}:`, ...linesFor(id, secret && 'the printed one', changed, options.stage)])
    return 0
  },
})

const secretCommand = command({
  summary: 'Adds a second secret to an application: prints it, once, and the setting.',
  operand: '<id>',
  options: { ...stageOption, ...toOption },
  details: `${details}

Deploy the setting, give the application the new secret, then take the first hash out of the setting and deploy again.`,
  async run(options, id) {
    const secret = newSecret()
    const changed = change(options, ({ entries, clients }) => {
      const client = findClient(clients, id)
      if (client === null) throw new CommandError(noSuchClient(id, clients))
      if (isPublic(client)) throw new CommandError(`${id} is public: it has no secret`)
      if (client.secrets.length > 1) {
        throw new CommandError(
          `${id} has two secrets: take the first hash out of the setting, once the second is in use`,
        )
      }
      const secrets = [...client.secrets, hashOf(secret)]
      return entries.map(entry => (entry.id === id ? { ...entry, secrets } : entry))
    })
    if (options.to === undefined) {
      print(toLines`The secret of ${id}, which is shown only here:\n\n${secret}\n\n${settingOf(changed)}`)
    } else print(secret)
    return 0
  },
})

const listCommand = command({
  summary: 'Lists the applications.',
  options: { ...stageOption, ...jsonOption },
  details: '--json prints [{id, name, redirects, logouts, home, secrets, api, unverified, pkce}].',
  async run(options) {
    const clients = currentClients(options)
    if (options.json) print(JSON.stringify(clients))
    else if (clients.length === 0) print('There are no applications.')
    else print(clients.flatMap((client, i) => (i === 0 ? describe(client) : ['', ...describe(client)])))
    return 0
  },
})

const checkCommand = command({
  summary: 'Says what is wrong with the address of a request to log in or out.',
  operand: '<address>',
  options: stageOption,
  details: `The address is that of /authorize or /logout, with all that follows the question mark, or the one at which the application got an error.
Put it in single quotes: the shell would take its & for its own.`,
  async run(options, address) {
    const [before = '', query = ''] = address.includes('?') ? address.split(/\?(.*)/s, 2) : ['', address]
    const parameters = new URLSearchParams(query.replace(/#.*/s, ''))
    if (parameters.has('code') && !parameters.has('client_id')) {
      print(returned)
      return 0
    }
    const found = findList('OIDC_CLIENTS', options.stage, usualList)
    const wrong = wrongWith(before, String(parameters), read(found).clients)
    if (wrong === null) print('Nothing is wrong with it.')
    else if (typeof wrong === 'string') print(wrong)
    else {
      const isUnset = options.stage === undefined && !found.settings.get('OIDC_CLIENTS')?.trim()
      print([
        ...wrong.what,
        ...(wrong.change === null ? [] : [`${wrong.change}.`]),
        ...(isUnset && wrong.change === toList ? [unset] : []),
      ])
    }
    return wrong === null ? 0 : 1
  },
})

const returned = [
  'The log-in worked: the application has a code.',
  'If it fails after that, it is its request to /auth/token that fails: read error and error_description in its log',
  '(invalid_client: id or secret), or what the terminal of npm start says.',
]

const unset = 'OIDC_CLIENTS is unset in this terminal, so this is the list of a plain npm start: set it as for yours.'

/** The fault of an address, in words where it is of no request; null: there is none. */
function wrongWith(before: string, query: string, clients: readonly Client[]): Fault | string | null {
  const parameters = new URLSearchParams(query)
  const error = parameters.get('error')
  if (error !== null && !parameters.has('client_id')) return faultOfReturn(error, parameters.get('error_description'))
  const isLogout = before === '' ? parameters.has('post_logout_redirect_uri') : before.endsWith('/logout')
  if (!isLogout && !parameters.has('client_id') && before !== '' && !before.endsWith('/authorize')) {
    return `This is not an address of /authorize or /logout: ${before}`
  }
  return isLogout ? faultOfLogout(query, clients) : faultOfLogin(query, clients)
}

/** The list where the setting is unset. */
const usualList = (stage: string): string => (stage === 'dev' ? fallbacks.OIDC_CLIENTS : '[]')

/** @throws {CommandError} */
const currentClients = ({ stage }: OptionValues<typeof stageOption>): readonly Client[] =>
  read(findList('OIDC_CLIENTS', stage, usualList)).clients

/** The entries of a list as they are stated, and what they mean. */
interface Listed {
  entries: readonly Stated[]
  clients: readonly Client[]
}

/** @throws {CommandError} */
function read({ text, file }: FoundList): Listed {
  const clients = readClients(text)
  if (typeof clients !== 'string') return { entries: JSON.parse(text), clients }
  throw new CommandError(`OIDC_CLIENTS is not valid: ${file === null ? '' : `${file}: `}${clients}`)
}

/** 256 bits cannot be guessed, so a fast hash is enough. The prefix lets secret scanners find it. */
const newSecret = (): string => `ghc1_${randomBytes(32).toString('base64url')}`

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

type Change = OptionValues<typeof stageOption & typeof toOption>

/** Changes the list, in the file of `--to` if there is one. @throws {CommandError} */
const change = (options: Change, by: (listed: Listed) => readonly object[]) =>
  changeList('OIDC_CLIENTS', options, usualList, list => ({ ...requireGood(by(read(list)), list), list }))

type Changed = ReturnType<typeof change>

/** The setting, in a form for single quotes in stage files and shells. */
function settingOf({ clients, list }: Changed): string[] {
  const text = JSON.stringify(clients.map(stateClient)).replaceAll("'", String.raw`\u0027`)
  return toLines`${headingOf(list)}\n\nOIDC_CLIENTS='${text}'`
}

/** What an application's developers are sent. @param secret as it is shown; null: the application is public */
function linesFor(id: string, secret: string | null, { clients, list: { settings } }: Changed, stage?: string) {
  const client = findClient(clients, id) as Client
  const issuer = `${addressOf(settings, stage)}/auth`
  const hasSessions = settings.get('SESSION_DAYS')?.trim() !== '0'
  const lines = [
    ['issuer', issuer],
    ['discovery', `${issuer}/.well-known/openid-configuration`],
    ['client id', id],
    ['client secret', secret ?? 'none: it is public'],
    ...client.redirects.map(address => ['redirect', address]),
    ...client.logouts.map(address => ['after logout', address]),
    ['scopes', scopes.filter(scope => hasSessions || scope !== 'offline_access').join(' ')],
    ['PKCE', client.pkce === 'optional' ? 'S256, or none: then it must check nonce' : 'S256, which it must send'],
    ['how', 'docs/integrate.md#clients-of-others in the repository of Gatehouse'],
  ]
  return lines.map(([what = '', text]) => `  ${what.padEnd(15)}${text}`)
}

/** The list of these entries, if it is valid. @throws {CommandError} */
function requireGood(entries: readonly object[], { settings }: FoundList) {
  const clients = readClients(JSON.stringify(entries))
  if (typeof clients === 'string') throw new CommandError(clients, 2)
  const audience = settings.get('TOKEN_AUDIENCE')?.trim() || settingsTable.TOKEN_AUDIENCE.fallback
  const [clash] = clashingIds(clients, audience)
  if (clash !== undefined) throw new CommandError(clash, 2)
  return { entries, clients }
}

const describe = ({ id, name, redirects, logouts, home, secrets, api, unverified, pkce }: Client): string[] => {
  const kind = secrets.length === 0 ? 'public' : secrets.length === 1 ? 'one secret' : 'two secrets'
  const facts = [
    kind,
    ...(api ? ['api'] : []),
    ...(unverified ? ['unverified'] : []),
    ...(pkce === 'optional' ? ['PKCE optional'] : []),
  ]
  const addresses = [
    ...redirects.map(address => ['redirect', address]),
    ...logouts.map(address => ['logout', address]),
    ...(home === null ? [] : [['home', home]]),
  ]
  return [
    `${id}  ${name} (${facts.join(', ')})`,
    ...addresses.map(([what = '', address]) => `  ${what.padEnd(10)}${address}`),
  ]
}

await run('clients', 'Makes and checks the applications that log people in.', {
  new: newCommand,
  secret: secretCommand,
  list: listCommand,
  check: checkCommand,
})
