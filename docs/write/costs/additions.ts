import { routes } from '../../../api/routes.ts'
import { floodsFor } from '../../../infra/monitoring/event-alarms.ts'
import type { Optional } from '../../../infra/monitoring/runbooks.ts'
import type { Settings } from '../../../infra/settings/settings.ts'
import { table } from '../markdown.ts'
import { resourcesOf } from '../template.ts'
import { type JourneyName, journeyKinds } from './journeys.ts'
import { headOfSizes, mailing, monthly, perMillion, resources, sizes, totals } from './monthly.ts'
import { dollars, prices } from './prices.ts'

/** What settings add to the costs of a month. */

const issuer = 'https://login.example.com'

/** What a stack has only where a setting asks for it, a stack that has it, and what an account does with it in a month. */
interface Addition {
  setting: keyof Settings
  env: Record<string, string>
  /** Its name alone, if it costs nothing more. */
  use:
    | string
    | {
        journey: JourneyName
        times: number
        /** What it takes the place of. */
        insteadOf?: JourneyName
      }
}

const additions: Record<Optional, Addition> = {
  blocklist: {
    setting: 'PASSWORD_BLOCKLIST',
    use: 'New passwords, with `online`',
    env: { PASSWORD_BLOCKLIST: 'online' },
  },
  clients: {
    setting: 'OIDC_CLIENTS',
    use: { journey: 'login by an application', times: routes.login.perMonth },
    env: { OIDC_CLIENTS: JSON.stringify([{ id: 'app', name: 'App', redirects: ['https://app.example.com/'] }]) },
  },
  passkeys: {
    setting: 'PASSKEY_RP_ID',
    use: { journey: 'login by a passkey', times: 1, insteadOf: 'login' },
    env: { PASSKEY_RP_ID: 'example.com', SITE_URL: 'https://app.example.com' },
  },
  providers: {
    setting: 'SIGN_IN_PROVIDERS',
    use: { journey: 'login by a provider', times: 1, insteadOf: 'login' },
    env: {
      SIGN_IN_PROVIDERS: JSON.stringify([
        {
          ...{ id: 'login', name: 'Login', issuer, client_id: 'gatehouse' },
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
        },
      ]),
    },
  },
}

/** A stack that has all of these. */
export const withAdditions: Record<string, string> = Object.assign(
  {},
  ...Object.values(additions).map(({ env }) => env),
)

/** What each adds: for its use by some accounts, and however many there are. */
const added = Object.entries(additions).map(([name, { setting, env, use }]) => {
  const events = floodsFor(1, [name as Optional]).length - floodsFor(1, []).length
  const keys = resourcesOf({ ...mailing, ...env })('AWS::KMS::Key').length - resources('AWS::KMS::Key').length
  const costOf = (accounts: number) => {
    if (typeof use === 'string') return 0
    const { journey, times, insteadOf } = use
    return monthly(times, perMillion(journey) - (insteadOf ? perMillion(insteadOf) : 0), accounts)
  }
  const cells =
    typeof use === 'string'
      ? [use, '']
      : [`${journeyKinds[use.journey].what}${use.insteadOf ? ', not by a password' : ''}`, String(use.times)]
  return {
    setting,
    events,
    keys,
    costOf,
    amount: events * (prices.alarmMetric + prices.metric) + keys * prices.key,
    use: [...cells, dollars(costOf(1e6))],
  }
})

/**
 * Dollars per month more, by setting: an alarm and a metric for each of its events, and its key; and for the use of a million
 * accounts, less what it takes the place of.
 */
export function additionsTable(): string {
  const rows = added.map(({ setting, events, keys, amount, use }) => [
    `\`${setting}\``,
    ...use,
    String(events),
    String(keys),
    dollars(amount),
  ])
  const use = ['If accounts use it for', 'Times per account', '1,000,000 accounts']
  return table(['With', ...use, 'Alarms, and metrics of events', 'Keys', 'However many accounts'], rows, 5)
}

/** Dollars per month in all: without these settings, and with all of them, used as the table of what they add says. */
export const totalTable = (): string =>
  table(
    ['Dollars per month', ...headOfSizes],
    [
      ['**with mails and alarms**', ...totals(sizes).map(total => `**${dollars(total)}**`)],
      [
        'and all that settings add, used as their table says',
        ...totals(sizes).map((total, i) =>
          dollars(added.reduce((sum, { amount, costOf }) => sum + amount + costOf(sizes[i] ?? 0), total)),
        ),
      ],
    ],
    3,
  )
