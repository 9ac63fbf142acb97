import { table } from '../../docs/write/markdown-table.ts'
import { busiest, quotas, throttlesFor } from '../../infra/constructs/throttles.ts'
import { type FunctionName, routes } from '../../shared/api/routes.ts'
import { defaultAccounts } from './attack.ts'
import { type Journeys, journeyKinds } from './journeys.ts'
import { cpuOf, latency, type Ran } from './prices.ts'

const sizes = [1e6, 1e7, 1e8]

/** What a million accounts and more need in their busiest hour, and the quotas that they meet first. */
export function quotaTable(journeys: Journeys): string {
  /** What an account needs in a month. */
  const perAccount = (of: (ran: Ran, name: FunctionName) => number): number =>
    [...journeys].reduce((sum, [journey, functions]) => {
      const { perMonth } = journeyKinds[journey]
      // CloudFront answers nine catalogue requests of ten.
      const times = journey === 'catalogue request' ? perMonth / 10 : perMonth
      return sum + times * [...functions].reduce((all, [name, ran]) => all + of(ran, name), 0)
    }, 0)
  const requests = perAccount(({ invocations }, name) => (name === 'on-mail-queued' ? 0 : invocations))
  const seconds = perAccount(
    ({ invocations, usage }, name) => (invocations * cpuOf(name, 'usual') + latency * usage.waits) / 1000,
  )
  const signatures = perAccount(({ usage }) => usage.signatures)
  const mails = perAccount(({ usage }) => usage.mails)
  const login = throttlesFor(defaultAccounts, quotas.usual).get('login')?.rate ?? 0
  const concurrency = (accounts: number) => busiest(accounts, seconds)
  const mailsPerDay = (accounts: number) => (accounts * mails) / 30
  const requestRate = (accounts: number) => busiest(accounts, requests)
  const logins = (accounts: number) => busiest(accounts, routes.login.perMonth)
  const lines: [what: string, limit: number, need: (accounts: number) => number][] = [
    ['Lambda in a new account: concurrent executions', 10, concurrency],
    ['Lambda otherwise: concurrent executions', 1000, concurrency],
    ["Login's throttle, with the default `EXPECTED_ACCOUNTS`", login, logins],
    ['SES in its sandbox: mails a day', 200, mailsPerDay],
    ['SES outside it, at first: mails a day', 50_000, mailsPerDay],
    ['KMS: RSA signatures a second', 1000, accounts => busiest(accounts, signatures)],
    ['API Gateway in [small regions](#regions): requests a second', quotas.small.rate, requestRate],
    ['API Gateway elsewhere: requests a second', quotas.usual.rate, requestRate],
  ]
  return table(
    ['Quota', 'Is', ...sizes.map(accounts => `${accounts / 1e6} million`)],
    lines.map(([what, limit, need]) => [
      what,
      limit.toLocaleString('en'),
      ...sizes.map(accounts => {
        // Without what a sum of fractions leaves in the last digits.
        const needed = Math.ceil(Number(need(accounts).toPrecision(9)))
        return needed > limit ? `**${needed.toLocaleString('en')}**` : needed.toLocaleString('en')
      }),
    ]),
    4,
  )
}
