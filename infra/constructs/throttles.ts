import { Aws, CfnCondition, CfnMapping, Fn, Token } from 'aws-cdk-lib'
import { RegionInfo } from 'aws-cdk-lib/region-info'
import { Construct } from 'constructs'
import { isHashing, rows } from '../../api/needs.ts'
import { type FunctionName, routes } from '../../api/routes.ts'
import { leastAccounts } from '../settings/settings.ts'

/**
 * The load that `EXPECTED_ACCOUNTS` stands for: how often accounts send which request. Each row of the route table states
 * its own part in `perMonth`.
 */

const secondsPerMonth = 30 * 24 * 60 * 60

/** The busiest hour against the mean: most people of one time zone log in during the same few hours of a day. */
const peak = 5

/** A throttle against the busiest hour: for a launch, a campaign, or clients that all come back after an outage. */
const reserve = 10

/** Requests per second in the busiest hour, if each account sends `perMonth` of them. */
export const busiest = (accounts: number, perMonth: number): number => (accounts * perMonth * peak) / secondsPerMonth

const withReserve = (accounts: number, perMonth: number): number => busiest(accounts, perMonth) * reserve

/**
 * Requests per second, and the burst, of all callers together. API Gateway answers requests beyond them with 429.
 *
 * Throttles limit what an attack costs and how many concurrent executions it takes. They are far above what well-behaved
 * clients send, because a client that ignores 429 can use up a throttle for everyone. An HTTP API cannot throttle per
 * caller; docs/deploy.md, "What an attack costs", says what to put in front of it.
 */
export interface Throttle {
  rate: number
  burst: number
}

/** A row whose routes have a throttle of their own, or the stage, whose throttle all other routes have. */
type ThrottleName = FunctionName | 'stage'

/**
 * API Gateway's quotas for all APIs of an account in a region ("Amazon API Gateway quotas"). A throttle above them would
 * promise what the account does not have.
 */
export const quotas = {
  usual: { rate: 10_000, burst: 5000 },
  small: { rate: 2500, burst: 1250 },
} as const satisfies Record<string, Throttle>

type QuotaName = keyof typeof quotas

/** By their names on that page. Any other region has the usual quota. */
export const smallRegions = {
  'af-south-1': 'Cape Town',
  'ap-south-2': 'Hyderabad',
  'ap-southeast-3': 'Jakarta',
  'ap-southeast-4': 'Melbourne',
  'ap-southeast-5': 'Malaysia',
  'ap-southeast-7': 'Thailand',
  'ca-west-1': 'Calgary',
  'eu-central-2': 'Zurich',
  'eu-south-1': 'Milan',
  'eu-south-2': 'Spain',
  'il-central-1': 'Tel Aviv',
  'me-central-1': 'UAE',
  'mx-central-1': 'Mexico',
} as const

/** Requests per account and month of a row that states none: more than a person's links, pages and mails cause. */
const usualPerMonth = 10

/** The least burst: a page, a smoke test or a few people send as many requests at once. */
const leastBurst = 10

/** By which people log in, each with all that it may need. */
const logins: readonly FunctionName[] = ['login', 'authorize']

/**
 * The throttle of each deployed row that states its load, and the stage's, which is for every route of the others.
 *
 * A hash takes a full vCPU for half a second at cost 12, so those that hash cost the most. Login, which people need most,
 * has all that it may need, and so has the login to applications beside it. The others have as much again together: an attack
 * on one of them leaves login alone, and more of them do not make an attack more expensive. Of that, the login by a provider has
 * what it needs, since it hashes only to connect one; the rest is divided by what each of the others needs.
 *
 * @param deployed the functions of the stack: what is not there takes nothing from the others
 */
export function throttlesFor(
  expectedAccounts: number,
  quota: Throttle,
  deployed: readonly FunctionName[],
): ReadonlyMap<ThrottleName, Throttle> {
  const accounts = Math.max(expectedAccounts, leastAccounts)
  const needed = (perMonth: number): number => withReserve(accounts, perMonth)
  const throttle = (requests: number): Throttle => {
    const rate = Math.max(1, Math.floor(requests))
    return { rate: Math.min(rate, quota.rate), burst: Math.min(Math.max(leastBurst, 2 * rate), quota.burst) }
  }
  // Where the quota cuts login, it cuts them as much.
  const shared = Math.min(needed(routes.login.perMonth), quota.rate)
  const sharing = deployed.filter(name => isHashing(rows[name]) && !logins.includes(name))
  const ofLogin = (perMonth: number): number => (shared * perMonth) / routes.login.perMonth
  const sumOf = (names: readonly FunctionName[]) => names.reduce((sum, name) => sum + (rows[name].perMonth ?? 0), 0)
  const byProvider = sharing.filter(name => rows[name].takesProvider)
  const others = sharing.filter(name => !rows[name].takesProvider)
  const perLoad = (shared - ofLogin(sumOf(byProvider))) / sumOf(others)
  const requestsFor = (name: FunctionName, perMonth: number): number =>
    others.includes(name) ? perLoad * perMonth : byProvider.includes(name) ? ofLogin(perMonth) : needed(perMonth)
  const stated = deployed.flatMap((name): [ThrottleName, Throttle][] => {
    const { perMonth } = rows[name]
    return perMonth === undefined ? [] : [[name, throttle(requestsFor(name, perMonth))]]
  })
  return new Map([['stage', throttle(needed(usualPerMonth))], ...stated])
}

/**
 * The throttles in the template. Which quota limits them depends on the region, which is known only at the deploy: a mapping
 * finds it. The numbers themselves stand in the template as they are: a value out of a mapping is text, and CloudFormation
 * passes the settings of routes on as they are given.
 */
export class Throttles extends Construct {
  readonly #throttles: Record<QuotaName, ReadonlyMap<ThrottleName, Throttle>>
  #isSmall: CfnCondition | undefined

  constructor(scope: Construct, id: string, expectedAccounts: number, deployed: readonly FunctionName[]) {
    super(scope, id)
    this.#throttles = {
      usual: throttlesFor(expectedAccounts, quotas.usual, deployed),
      small: throttlesFor(expectedAccounts, quotas.small, deployed),
    }
  }

  /** The condition and its mapping: few accounts need neither, and a template has no condition that nothing uses. */
  #newCondition(): CfnCondition {
    const quotaOf = (region: string): QuotaName => (region in smallRegions ? 'small' : 'usual')
    const regions = new CfnMapping(this, 'Regions', {
      mapping: Object.fromEntries(RegionInfo.regions.map(({ name }) => [name, { Quota: quotaOf(name) }])),
    })
    regions.overrideLogicalId('ApiGatewayQuotas')
    const isSmall = new CfnCondition(this, 'IsSmall', {
      expression: Fn.conditionEquals(regions.findInMap(Aws.REGION, 'Quota'), 'small' satisfies QuotaName),
    })
    isSmall.overrideLogicalId('HasSmallApiGatewayQuota')
    return isSmall
  }

  has(name: FunctionName): boolean {
    return this.#throttles.usual.has(name)
  }

  /** A throttle as the template states it. */
  of(name: ThrottleName): Throttle {
    return { rate: this.#number(name, 'rate'), burst: this.#number(name, 'burst') }
  }

  #number(name: ThrottleName, member: keyof Throttle): number {
    const { usual, small } = this.#throttles
    const [inUsual = 0, inSmall = 0] = [usual.get(name)?.[member], small.get(name)?.[member]]
    if (inUsual === inSmall) return inUsual
    this.#isSmall ??= this.#newCondition()
    return Token.asNumber(Fn.conditionIf(this.#isSmall.logicalId, inSmall, inUsual))
  }
}
