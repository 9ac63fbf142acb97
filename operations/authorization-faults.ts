import { readAuthorizationRequest } from '../accounts/application/authorization-request.ts'
import { type Client, findClient } from '../accounts/application/client.ts'
import type { Shown } from './command-line/terminal.ts'

/** The faults of a request in words, or null. */
export function wrongWith(query: string, before: string, clients: readonly Client[]): Shown | null {
  const parameters = new URLSearchParams(query)
  const error = parameters.get('error')
  if (error !== null && !parameters.has('client_id')) {
    return `The application was told ${error}: ${parameters.get('error_description') ?? 'it was not told why'}`
  }
  if (!parameters.has('client_id') && before !== '' && !/\/authorize$/.test(before)) {
    return `This is not an address of /authorize: ${before}`
  }
  const reading = readAuthorizationRequest(clients, query, 'https://issuer.invalid')
  if (reading.is === 'good') return null
  if (reading.is === 'refused') return `${reading.error}: ${reading.description}. The application is told so.`
  const [id, redirect] = ['client_id', 'redirect_uri'].map(name => parameters.getAll(name).filter(Boolean))
  const client = id?.length === 1 ? findClient(clients, id[0] ?? '') : null
  if (id?.length !== 1) return notOne('client_id', id)
  if (client === null) return noSuchClient(id[0] ?? '', clients)
  return redirect?.length === 1 ? wrongRedirect(redirect[0] ?? '', client) : notOne('redirect_uri', redirect)
}

const notOne = (name: string, values: readonly string[] = []): string =>
  values.length === 0 ? `${name} is missing` : `${name} is given more than once`

export const noSuchClient = (id: string, clients: readonly Client[]): string =>
  `There is no application '${id}'${clients.length === 0 ? ', nor any other' : `, but ${clients.map(each => each.id).join(', ')}`}`

function wrongRedirect(redirect: string, { id, redirects }: Client): string[] {
  // Any port of the loopback interface is allowed.
  const anyPort = redirect.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+/, '$1')
  const hints = redirects.flatMap(listed => hintOn(redirect, listed) ?? hintOn(anyPort, listed) ?? [])
  return [
    `${id} does not list ${redirect}. ${hints[0] ?? 'It is compared as text.'} Listed are:`,
    ...redirects.map(listed => `  ${listed}`),
  ]
}

/** The small difference between an address and a listed one, if it is small. */
function hintOn(sent: string, listed: string): string | null {
  const without = (pattern: RegExp) => sent.replace(pattern, '') === listed.replace(pattern, '')
  if (without(/\/$/)) return 'Only the slash at its end differs.'
  if (sent.toLowerCase() === listed.toLowerCase()) return 'Only capitals differ.'
  if (without(/^https?:/)) return 'Only http and https differ.'
  if (without(/(?<=^https?:\/\/[^/?]*):\d+/))
    return 'Only the port differs: any is good for http://127.0.0.1 and http://[::1] of public applications alone.'
  if (without(/(?<=^http:\/\/)(?:localhost|127\.0\.0\.1)(?::\d+)?/))
    return 'localhost and 127.0.0.1 are different addresses.'
  if (decodeURIComponentOrNull(sent) === listed) return 'It is encoded twice.'
  return sent.startsWith(listed) ? 'It begins as a listed one, but goes on.' : null
}

function decodeURIComponentOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
