import { Aws, CfnCondition, CfnMapping, Fn, Token } from 'aws-cdk-lib'
import { RegionInfo } from 'aws-cdk-lib/region-info'
import { Construct } from 'constructs'
import { isHashing, rows } from '../../api/needs.ts'
import { type FunctionName, routes } from '../../api/routes.ts'
import { leastAccounts } from '../settings/settings.ts'

/** The load of `EXPECTED_ACCOUNTS`: how often accounts send each request. Each row of the route table states its part in `perMonth`. */

const secondsPerMonth = 30 * 24 * 60 * 60

/** The busiest hour relative to the mean: most people of a time zone log in during the same few hours. */
const peak = 5

/** A throttle relative to the busiest hour: for a launch, a campaign, or clients that return after an outage. */
const reserve = 10

/** Requests per second in the busiest hour, if each account sends `perMonth` of them. */
export const busiest = (accounts: number, perMonth: number): number => (accounts * perMonth * peak) / secondsPerMonth

const withReserve = (accounts: number, perMonth: number): number => busiest(accounts, perMonth) * reserve

/**
 * Requests per second, and the burst, of all callers together. API Gateway answers further requests with 429.
 *
 * Throttles limit an attack's cost and concurrent executions. They are far above what well-behaved clients send,
 * because a client that ignores 429 can use up a throttle for everyone. An HTTP API cannot throttle per caller;
 * docs/deploy.md, "AWS WAF in front", says what to put there.
 */
export interface Throttle {
  rate: number
  burst: number
}

/** A row whose routes have their own throttle, or the stage, whose throttle all other routes share. */
type ThrottleName = FunctionName | 'stage'

/**
 * API Gateway's quotas for all APIs of an account in a region ("Amazon API Gateway quotas"). A throttle above them
 * would promise more than the account has.
 */
export const quotas = {
  usual: { rate: 10_000, burst: 5000 },
  small: { rate: 2500, burst: 1250 },
} as const satisfies Record<string, Throttle>

type QuotaName = keyof typeof quotas

/** By their names on that page. Other regions have the usual quota. */
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

/** Requests per account and month of a row without a number: more than a person's links, pages and mails cause. */
const usualPerMonth = 10

/** The least burst: a page, a smoke test or a few people send as many requests at once. */
const leastBurst = 10

/** The logins, each with its full need. */
const logins: readonly FunctionName[] = ['login', 'authorize']

/**
 * The throttle of each deployed row with a load, and the stage's, for all other routes.
 *
 * A hash takes a full vCPU for half a second at cost 12, so functions that hash cost the most. Login, the most needed,
 * gets its full need, and so does the login to applications. The others share as much again: an attack on one of them
 * leaves login alone, and more of them do not make attacks more expensive. Of that, the login by a provider gets its
 * need, because it hashes only to connect one; the rest is divided by need.
 *
 * @param deployed the functions of the stack: absent ones take nothing from the others
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
  // Where the quota cuts login, it cuts the others equally.
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
 * The throttles in the template. The quota depends on the region, known only at the deploy, so a mapping selects it.
 * The numbers are literals: a mapping's values are text, and CloudFormation passes route settings on unconverted.
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

  /** The condition and its mapping. Few accounts need neither, and a template must not have unused conditions. */
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

  /** A throttle for the template. */
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
