// What people look for here and do not find, with what to do instead.
import { html, type Markup } from '../shared/prebuilt/markup.ts'
import { operationLink } from './errors.ts'
import { unseen, writeTable } from './shapes.ts'
import type { Source } from './source.ts'

/** By the end of their ids. `[login]` stands for a link to that operation. */
const absent: Record<string, { name: string; instead: string }> = {
  webhooks: {
    name: 'Webhooks and events',
    instead:
      'Nothing calls you when something changes. Ask when you need to know: [get-me] tells what an account holds, and whether there still is one.',
  },
  users: {
    name: 'Accounts of others, an API for administrators',
    instead:
      'Every call is about the account of its access token: none lists, finds or changes others. Whoever runs the service does that by commands.',
  },
  'api-keys': {
    name: 'API keys',
    instead:
      'A program acts for a person: it has them log in ([login], or [authorize] for an application), and sends their access token. [refresh] renews it.',
  },
  codes: {
    name: 'Codes by SMS or email, links that log in',
    instead:
      '[passkey-login] needs no password. The second factor is a code from an authenticator app: [set-up-second-factor].',
  },
  roles: {
    name: 'Permissions, teams, organizations',
    instead:
      'An access token tells its person’s roles, which whoever runs the service gives. What they allow, and who belongs together, your service decides.',
  },
  attributes: {
    name: 'Pictures, phone numbers, user names, attributes of your own',
    instead:
      'An account has an address and a name. Keep the rest in your own table, under the account’s id, which never changes.',
  },
  saml: {
    name: 'SAML, SCIM, directories',
    instead:
      'People of a company log in at its OpenID provider: [provider-login]. Where there is SAML alone, put a broker between.',
  },
  introspection: {
    name: 'Registration of applications, introspection, device flow',
    instead:
      'Whoever runs the service lists its applications. [get-me] says whether an access token still counts, and [get-signing-keys] has the keys that verify one.',
  },
}

/** A table of it. */
export const writeAbsent = (source: Source): Markup =>
  writeTable(
    unseen('What is not here'),
    ['Not here', 'Instead'],
    Object.entries(absent).map(
      ([id, { name, instead }]) =>
        html`<tr id="absent-${id}" data-kind="not here"><th scope="row"><a class="anchor" href="#absent-${id}">${name}</a></th><td>${withLinks(instead, source)}</td></tr>`,
    ),
  )

const withLinks = (text: string, { entries }: Source): Markup =>
  html`${text.split(/\[([a-z-]+)\]/).map((part, at) => {
    const entry = at % 2 === 1 && entries.find(({ operation }) => operation.name === part)
    return entry ? operationLink(entry) : html`${part}`
  })}`
