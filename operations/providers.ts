import { createPrivateKey } from 'node:crypto'
import { EncryptCommand, KMSClient } from '@aws-sdk/client-kms'
import { gitHubIssuer } from '../accounts/identity/github.ts'
import { type Provider, redirectUriOf } from '../accounts/identity/provider.ts'
import type { Stated } from '../infra/settings/checks.ts'
import { apple, statementOf } from '../infra/settings/provider-members.ts'
import { misfitProviders, readProviders } from '../infra/settings/providers.ts'
import { providerContextKey } from '../shared/base/families.ts'
import { command, type OptionValues, run } from './command-line/command.ts'
import { differences, discover, foundIn, shortcomings } from './command-line/discovery.ts'
import { CommandError } from './command-line/failures.ts'
import { addressOf, changeList, type FoundList, findList, headingOf, toOption } from './command-line/lists.ts'
import { findStack, stackOptions } from './command-line/stack.ts'
import { note, print, toLines } from './command-line/terminal.ts'
import { readText } from './command-line/text-files.ts'

const stageOption = {
  stage: {
    type: 'string',
    value: 'NAME',
    meaning: 'the stage whose file has the list. Without it SIGN_IN_PROVIDERS of the environment',
  },
} as const

const details = `The providers that people log in with are the setting SIGN_IN_PROVIDERS. These commands print what goes into it, and change no file but that of --to.`

const newCommand = command({
  summary: "Reads a provider's discovery document: prints the setting with its entry, and what to register there.",
  operand: '<issuer>',
  options: {
    id: { type: 'string', value: 'ID', meaning: 'its name in addresses, which is good for ever. Otherwise github' },
    name: { type: 'string', value: 'TEXT', meaning: 'what people read of it. Otherwise its id, or GitHub' },
    'client-id': { type: 'string', value: 'ID', meaning: 'who this service is to the provider, as its console says' },
    directory: {
      type: 'string',
      value: 'DOMAINS',
      meaning: 'it is your own directory, and vouches for addresses at these domains',
    },
    team: { type: 'string', value: 'ID', meaning: "with Apple: the team's" },
    key: { type: 'string', value: 'ID', meaning: "with Apple: the key's, whose .p8 file is the secret" },
    redirect: {
      type: 'string',
      multiple: true,
      value: 'ADDRESS',
      meaning: 'a page of your own application that it may lead back to',
    },
    ...stageOption,
    ...toOption,
  },
  details: `${details}

The issuer is the iss of the provider's id tokens, such as https://accounts.google.com: docs/integrate.md names those of others. GitHub
has none, and is github here; without --client-id the command says where to register.`,
  async run(options, issuer) {
    const isGitHub = issuer === 'github'
    const { id = isGitHub ? issuer : undefined, 'client-id': clientId, directory, team, key, redirect = [] } = options
    const { name = isGitHub ? 'GitHub' : id } = options
    if (isGitHub && clientId === undefined)
      throw new CommandError(registrationAtGitHub(redirectUriOf(current(options).baseUrl, `${id}`)), 2)
    if (id === undefined || clientId === undefined) throw new CommandError('give --id and --client-id', 2)
    if (issuer === apple && (team === undefined || key === undefined))
      throw new CommandError('with Apple give --team and --key', 2)
    const found = isGitHub ? null : await discover(issuer)
    const entry = {
      ...{ id, name },
      ...(found === null ? { github: true } : foundIn(issuer, found)),
      client_id: clientId,
      ...(team !== undefined && { auth: { team, key } }),
      ...(directory !== undefined && { email: `always:${directory}` }),
      ...(redirect.length > 0 && { redirects: redirect }),
    }
    const { providers, baseUrl, heading } = changeList(
      'SIGN_IN_PROVIDERS',
      options,
      () => '[]',
      list => {
        const { entries, baseUrl } = read(list, options)
        return {
          ...requireGood([...entries, entry], baseUrl, options),
          baseUrl,
          heading: headingOf(list),
        }
      },
    )
    if (found !== null) {
      for (const line of shortcomings(found, providers.at(-1)?.email)) note(`Warning: ${line}`)
      note(
        `Only the id token is read. A provider that gives the address at its userinfo endpoint alone opens no accounts.`,
      )
    }
    const pages = [redirectUriOf(baseUrl, id), ...redirect].map(address => `  ${address}`)
    // For single quotes in stage files and shells.
    const text = JSON.stringify(providers.map(statementOf)).replaceAll("'", String.raw`\u0027`)
    const shownSetting = options.to === undefined ? toLines`${heading}\n\nSIGN_IN_PROVIDERS='${text}'\n\n` : ''
    print(toLines`Register there, as redirect address, letter for letter:

${pages}

${shownSetting}Deploy it, or start with it: that makes the key of its secret. Then npm run providers -- secret ${id} encrypts what you type,
and prints what goes into the entry as "secret".`)
    return 0
  },
})

const registrationAtGitHub = (
  redirectUri: string,
) => toLines`register an OAuth app at ${gitHubIssuer}/settings/applications/new, with this Authorization callback URL, letter for letter:

  ${redirectUri}

Then give its Client ID: --client-id`

const checkCommand = command({
  summary: "Compares the list with the providers' discovery documents.",
  operand: '[<id>]',
  options: stageOption,
  details: `${details} The service itself calls the addresses of the list alone, so somebody has to look when a login fails.`,
  async run(options, only) {
    const { providers } = current(options)
    const checked = only === undefined ? providers : [requireNamed(providers, only)]
    if (checked.length === 0) print('There are no providers.')
    const results = await Promise.all(checked.map(differencesOf))
    for (const [i, { id, secret }] of checked.entries()) {
      const wrong = [...(secret === null ? ['It has no secret, and is not offered'] : []), ...(results[i] ?? [])]
      print(wrong.length === 0 ? `${id}: as listed` : wrong.map(line => `${id}: ${line}`))
    }
    return results.some(lines => lines.length > 0) ? 1 : 0
  },
})

/** GitHub says nothing of itself, and its addresses are fixed. */
const differencesOf = async (provider: Provider): Promise<string[]> => {
  if (provider.userUrl !== undefined) return []
  return differences(provider).catch((error: unknown) => {
    if (error instanceof CommandError) return [error.message]
    throw error
  })
}

const secretCommand = command({
  summary: "Encrypts a provider's secret from stdin: prints what the setting takes.",
  operand: '<id>',
  options: stackOptions,
  details: `The ciphertext belongs to this provider of this stack, or of this data directory, and only the functions that log people in
decrypt it. Nothing is written anywhere. With Apple the secret is the .p8 file:

  npm run -s providers -- secret apple --outputs outputs.json < AuthKey_ABCDE12345.p8`,
  async run(options, id) {
    const { outputs, client, title } = findStack(options)
    const { ProviderKey: KeyId, Providers: listed = '' } = outputs
    if (KeyId === undefined)
      throw new CommandError(`${title} lists no provider: deploy its entry without a secret first`)
    if (!listed.split(',').includes(id))
      throw new CommandError(`There is no provider '${id}' in ${title}, but ${listed.replaceAll(',', ', ')}`)
    if (process.stdin.isTTY) note('The secret, then Enter and Ctrl-D:')
    let typed = ''
    for await (const part of readText('-')) typed += part
    const Plaintext = Buffer.from(secretIn(typed))
    const kms = new KMSClient(client)
    const encrypted = await kms.send(
      new EncryptCommand({ KeyId, Plaintext, EncryptionContext: { [providerContextKey]: id } }),
    )
    print(Buffer.from(encrypted.CiphertextBlob ?? []).toString('base64'))
    return 0
  },
})

/** AWS KMS, "Encrypt": 4,096 bytes. */
const maxSecret = 4096

/** The secret in a text: a whole key, or a line. @throws {CommandError} which does not show it */
function secretIn(typed: string): string {
  const secret = typed.replace(/^\ufeff/, '').trim()
  if (secret === '') throw new CommandError('stdin is empty: it must hold the secret', 2)
  if (Buffer.byteLength(secret) > maxSecret) throw new CommandError(`the secret has more than ${maxSecret} bytes`, 2)
  if (secret.startsWith('-----BEGIN')) return requireKey(secret)
  if (/^[\x20-\x7e]+$/.test(secret)) return secret
  throw new CommandError('the secret must be one line of printable ASCII, or the whole of a .p8 file', 2)
}

/** Apple's keys are for ES256. */
function requireKey(pem: string): string {
  try {
    if (createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1') return pem
  } catch {
    // The error's message may contain part of the key.
  }
  throw new CommandError('this is no private key of the curve P-256, as the .p8 file of Apple is', 2)
}

type Where = OptionValues<typeof stageOption>

const current = (options: Where) =>
  read(
    findList('SIGN_IN_PROVIDERS', options.stage, () => '[]'),
    options,
  )

/** The entries of a list as they are stated, what they mean, and this service's address beside them. @throws {CommandError} */
function read({ text, file, settings }: FoundList, { stage }: Where) {
  const providers = readProviders(text, stage === undefined)
  if (typeof providers === 'string')
    throw new CommandError(`SIGN_IN_PROVIDERS is not valid: ${file === null ? '' : `${file}: `}${providers}`)
  const entries: readonly Stated[] = JSON.parse(text)
  return { entries, providers, baseUrl: addressOf(settings, stage) }
}

/** The list of these entries, if it is valid. @throws {CommandError} */
function requireGood(entries: readonly object[], baseUrl: string, { stage }: Where) {
  const providers = readProviders(JSON.stringify(entries), stage === undefined)
  if (typeof providers === 'string') throw new CommandError(providers, 2)
  const misfits = misfitProviders({ SIGN_IN_PROVIDERS: providers }, baseUrl)
  if (misfits.length > 0) throw new CommandError(misfits, 2)
  return { entries, providers }
}

function requireNamed(providers: readonly Provider[], id: string): Provider {
  const found = providers.find(provider => provider.id === id)
  if (found) return found
  const others = providers.map(provider => provider.id).join(', ')
  throw new CommandError(`There is no provider '${id}'${others === '' ? ', nor any other' : `, but ${others}`}`)
}

await run('providers', 'Makes and checks the providers that people log in with.', {
  new: newCommand,
  secret: secretCommand,
  check: checkCommand,
})
