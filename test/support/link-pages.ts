import { linkPages } from '../../accounts/mail/queue.ts'
import { type EndpointName, type Route, routes } from '../../api/routes.ts'
import type { ErrorCode } from '../../shared/base/errors.ts'
import { pageFile } from '../../shared/prebuilt/whole-page.ts'
import { isDeadLink } from './api/rows.ts'
import { builtPage } from './built-page.ts'

/** The built pages of links: their requests and texts. A second factor's has a script of its own. */

/** A page of a link. */
interface LinkPage {
  name: string
  /** The row of the endpoint for its token. */
  endpoint: EndpointName
  body: Record<string, string>
  /** The id of the password field, or null. */
  passwordField: string | null
  /** The id of a field that may stay empty, after the password's. */
  optionalField: string | null
  done: string
  /** The code of a link that does not work. */
  deadCode: ErrorCode
  /** The text about a used link. */
  doneAlready: string
  renewal: Renewal | null
}

/** How a page requests a new link. */
interface Renewal {
  endpoint: EndpointName
  sent: string
  requestHeading: string
}

const rowOf = (action: string): EndpointName => {
  const found = Object.entries<Route>(routes).find(([, { on }]) => on === `POST ${action}`)
  if (!found) throw new Error(`no row takes ${action}`)
  return found[0] as EndpointName
}

/** A piece of a page, filled for Ada. */
const read = (html = ''): string =>
  html
    .replaceAll('<bdi data-email></bdi>', 'ada@example.com')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/(?:\s|&#160;)+/g, ' ')
    .trim()

function readPage(name: string): LinkPage {
  const html = builtPage(pageFile(name, 'en'))?.html ?? ''
  const section = (state: string) =>
    new RegExp(`<section data-state="[^"]*\\b${state}\\b[^>]*>(.*?)</section>`, 's').exec(html)?.[1]
  const headingIn = (state: string) => read(/<h1[^>]*>(.*?)<\/h1>/s.exec(section(state) ?? '')?.[1])
  const [form, renewing] = [...html.matchAll(/<form method="post" action="([^"]+)".*?<\/form>/gs)]
  const [enabled = ''] = form ?? []
  const fields = [...enabled.replaceAll(/<fieldset[^>]* disabled.*?<\/fieldset>/gs, '').matchAll(/<input[^>]*>/g)]
  const inputs = fields.flatMap(([input]) => {
    const attribute = (of: string) => new RegExp(`\\s${of}="([^"]*)"`).exec(input)?.[1] ?? ''
    const isPassword = attribute('type') === 'password'
    const isPosted = attribute('name') !== '' && !/\sdisabled\b/.test(input)
    return isPosted ? [{ id: attribute('id'), name: attribute('name'), isPassword }] : []
  })
  const endpoint = rowOf(form?.[1] ?? '')
  const { refuses = [] }: Route = routes[endpoint]
  const [deadCode, ...others] = refuses.filter(isDeadLink)
  if (deadCode === undefined || others.length > 0) throw new Error(`${endpoint} takes no link`)
  return {
    name,
    endpoint,
    body: {
      token: 'secret-token',
      ...Object.fromEntries(inputs.map(({ name, isPassword }) => [name, isPassword ? 'correct horse' : ''])),
    },
    passwordField: inputs.find(({ isPassword }) => isPassword)?.id ?? null,
    optionalField: inputs.find(({ isPassword }) => !isPassword)?.id ?? null,
    done: headingIn('done'),
    deadCode,
    doneAlready: /If you have [^.]* already[^.]*/.exec(read(section('expired')))?.[0] ?? 'a way on for who has used it',
    renewal: renewing
      ? {
          endpoint: rowOf(renewing[1] ?? ''),
          sent: read(/<p>(.*?)<\/p>/s.exec(section('sent') ?? '')?.[1]),
          requestHeading: headingIn('request'),
        }
      : null,
  }
}

export const pagesOfLinks = linkPages()
  .filter(name => name !== 'second-factor')
  .map(readPage)
