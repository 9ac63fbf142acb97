import { BrowserSystem, type Cause, type Credulity } from './browser-system.ts'
import { type Breach, testInvariants } from './campaign.ts'

/**
 * Everybody who can make a browser send its cookie, explored completely: its own pages, pages of sibling subdomains,
 * applications and programs that ask for too much.
 */

const scenarios = {
  'two tabs, and a logout': [['its own page', 'its own page', 'its own logout'], 0],
  'a logout while servers die': [['its own page', 'its own logout'], 1],
  'a page of a sibling subdomain': [['its own page', 'a page of a sibling subdomain'], 0],
  'addresses that are not listed': [
    ['an application at an address that begins alike', 'an application at another port', 'its own page'],
    0,
  ],
  'a program of the machine': [['a program of the machine', 'its own page'], 0],
  'a hint that nobody has signed': [['an application that forges a hint', 'its own page'], 0],
} satisfies Record<string, [readonly Cause[], faults: number]>

const breaches: Breach<keyof typeof scenarios, Credulity>[] = [
  ['an origin that is not checked', { believes: 'any origin' }, 'a page of a sibling subdomain', /another host/],
  ['a prefix', { believes: 'any address that begins alike' }, 'addresses that are not listed', /where the list/],
  ['any port of https', { believes: 'any port' }, 'addresses that are not listed', /where the list/],
  ['a confirmation that nobody gave', { believes: 'any confirmation' }, 'a program of the machine', /unless its owner/],
  ['a signature that is not checked', { believes: 'any hint' }, 'a hint that nobody has signed', /logs a person out/],
]

testInvariants(
  'browsers',
  (causes: readonly Cause[], credulity?: Credulity) => new BrowserSystem(causes, credulity),
  scenarios,
  breaches,
  3,
)
