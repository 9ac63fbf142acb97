import { deployedFunctions, isHashing, memory, needsClients, rows } from '../../../api/needs.ts'
import { functionNames } from '../../../api/route-keys.ts'
import { type FunctionName, routes } from '../../../api/routes.ts'
import { busiest, quotas, throttlesFor } from '../../../infra/constructs/throttles.ts'
import { settingsTable } from '../../../infra/settings/settings.ts'
import { table } from '../markdown.ts'
import { journeyKinds, journeys } from './journeys.ts'
import { costOf, cpu, cpuOf, dollars, latency, type Ran, sumOf } from './prices.ts'

/** What an attack costs that uses up the throttles for a day, and which quotas growth meets, from the recorded journeys. */

/** The default of `EXPECTED_ACCOUNTS`. */
export const defaultAccounts = Number(settingsTable.EXPECTED_ACCOUNTS.fallback)

/**
 * Dollars for a million invocations, as expensive as in any journey. A route that no journey takes is taken to cost as much as
 * a changed password, which calls the most and hashes twice.
 */
function costliest(name: FunctionName, milliseconds: number): number {
  const costs = [...journeys.values()].flatMap(journey => {
    const ran = journey.get(name)
    return ran && ran.invocations > 0 ? [sumOf(costOf(name, milliseconds, ran)) / ran.invocations] : []
  })
  if (costs.length > 0) return Math.max(...costs) * 1e6
  return costliest('change-password', cpuOf('change-password', 'most'))
}

/** 130 ms of a full vCPU, of which a function without a hash has a part. */
const validation = (130 * memory.fullCpu) / memory.usual

/** Each throttle of `EXPECTED_ACCOUNTS`, and dollars for a million requests that use it up. */
function attacks(): [what: string, rate: number, million: number][] {
  // Without providers, as by default. With them, the routes that hash share the same sum.
  const deployed = deployedFunctions(true, false)
  const throttles = throttlesFor(defaultAccounts, quotas.usual, deployed)
  const rateOf = (name: FunctionName | 'stage') => throttles.get(name)?.rate ?? 0
  const most = (name: FunctionName) => costliest(name, cpuOf(name, 'most'))
  const hashing = deployed.filter(name => isHashing(rows[name]) && name !== 'login' && !needsClients(name))
  const together = hashing.reduce((sum, name) => sum + rateOf(name), 0)
  const mean = hashing.reduce((sum, name) => sum + rateOf(name) * most(name), 0) / together
  return [
    ['Login', rateOf('login'), most('login')],
    ['The other routes that hash, together', together, mean],
    // It calls what a login calls. A code, which is written, takes the place of a signature.
    ['Login to applications', rateOf('authorize'), most('login')],
    ['Profile reads', rateOf('get-me'), costliest('get-me', cpu.other)],
    ['Refreshes', rateOf('refresh'), costliest('refresh', cpu.other)],
    ["Each of the catalogue's two", rateOf('catalogue'), costliest('catalogue', validation)],
    ['Each other route', rateOf('stage'), costliest('forgot-password', cpu.other)],
  ]
}

/** With what an attack on all routes that hash costs, to one digit: the prices are no more certain than that. */
export function attackTable(): string {
  const days = attacks().map(([what, rate, million]) => {
    return { what, rate, cost: ((rate * 24 * 60 * 60) / 1e6) * million }
  })
  const hashing = days.slice(0, 2).reduce((sum, { cost }) => sum + cost, 0)
  return [
    `An attack that uses up the throttles of all routes that hash costs about ${Number(hashing.toPrecision(1))} dollars a day.`,
    table(
      ['Throttle', 'Requests a second', 'Dollars a day'],
      days.map(({ what, rate, cost }) => [what, String(rate), dollars(cost)]),
      2,
    ),
  ].join('\n\n')
}

const sizes = [1e6, 1e7, 1e8]

/** What a million accounts and more need in their busiest hour, and the quotas that they meet first. */
export function quotaTable(): string {
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
  const login = throttlesFor(defaultAccounts, quotas.usual, functionNames).get('login')?.rate ?? 0
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
