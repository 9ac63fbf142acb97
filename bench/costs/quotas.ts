import { busiest, quotas, throttlesFor } from '../../infra/constructs/throttles.ts'
import { type FunctionName, routes } from '../../shared/api/routes.ts'
import { defaultAccounts } from './attack.ts'
import { found, type Journey, type Journeys, journeyNames, timesPerMonth } from './journeys.ts'
import { cpu, cpuOf, latency, table, type Usage } from './prices.ts'

const sizes = [1e6, 1e7, 1e8]

/** Refreshes of an account in a month, and what each takes: it signs, and reads and writes a session without a hash. */
const refresh = { perMonth: 40, milliseconds: cpu.other + 4 * latency }

/** What a million accounts and more need in their busiest hour, and the quotas that they meet first. */
export function quotaTable(journeys: Journeys): string {
  const perAccount = (of: (journey: Journey) => number): number =>
    journeyNames.reduce((sum, name) => {
      // CloudFront answers nine catalogue requests of ten.
      const reaching = name === 'catalogue request' ? timesPerMonth[name] / 10 : timesPerMonth[name]
      return sum + reaching * of(found(journeys, name))
    }, 0)
  const total = (journey: Journey, of: (name: FunctionName, part: { invocations: number; usage: Usage }) => number) =>
    [...journey].reduce((sum, [name, part]) => sum + of(name, part), 0)
  const requests = perAccount(journey =>
    total(journey, (name, { invocations }) => (name === 'on-mail-queued' ? 0 : invocations)),
  )
  const seconds = perAccount(journey =>
    total(journey, (name, { invocations, usage }) =>
      invocations === 0 ? 0 : (invocations * cpuOf(name, 'usual') + latency * usage.waits) / 1000,
    ),
  )
  const signatures = perAccount(journey => total(journey, (_, { usage }) => usage.signatures))
  const mails = perAccount(journey => total(journey, (_, { usage }) => usage.mails))
  const login = throttlesFor(defaultAccounts, quotas.usual).get('login')?.rate ?? 0
  const concurrency = (accounts: number) =>
    busiest(accounts, seconds + (refresh.perMonth * refresh.milliseconds) / 1000)
  const mailsPerDay = (accounts: number) => (accounts * mails) / 30
  const requestRate = (accounts: number) => busiest(accounts, requests + refresh.perMonth)
  const lines: [what: string, limit: number, need: (accounts: number) => number][] = [
    ['Lambda in a new account: concurrent executions', 10, concurrency],
    ['Lambda otherwise: concurrent executions', 1000, concurrency],
    [
      "Login's throttle, with the default `EXPECTED_ACCOUNTS`",
      login,
      accounts => busiest(accounts, routes.login.perMonth),
    ],
    ['SES in its sandbox: mails a day', 200, mailsPerDay],
    ['SES outside it, at first: mails a day', 50_000, mailsPerDay],
    ['KMS: RSA signatures a second', 1000, accounts => busiest(accounts, signatures + refresh.perMonth)],
    ['API Gateway in [small regions](#regions): requests a second', quotas.small.rate, requestRate],
    ['API Gateway elsewhere: requests a second', quotas.usual.rate, requestRate],
  ]
  return table(
    ['Quota', 'Is', ...sizes.map(accounts => `${accounts / 1e6} million`)],
    4,
    lines.map(([what, limit, need]) => [
      what,
      limit.toLocaleString('en'),
      ...sizes.map(accounts => {
        // Without what a sum of fractions leaves in the last digits.
        const needed = Math.ceil(Number(need(accounts).toPrecision(9)))
        return needed > limit ? `**${needed.toLocaleString('en')}**` : needed.toLocaleString('en')
      }),
    ]),
  )
}
