import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixed, pollers } from '../../bench/costs/monthly.ts'
import { freeDashboardMetrics, prices } from '../../bench/costs/prices.ts'
import { floodsFor, tooManyRequestsFor } from '../../infra/monitoring/events.ts'
import { functionNames, routeKeysOf } from '../../shared/api/route-keys.ts'
import type { AuthEvent } from '../../shared/base/system.ts'
import { buildCatalogue } from '../../shared/catalogue/build/build-catalogue.ts'
import { readSource } from '../../shared/catalogue/build/source.ts'
import { everything } from '../support/stack/settings.ts'
import { synthesize } from '../support/stack/template.ts'

/** Numbers in the documents that count parts of the system, and what is computed from them, held against the system. */

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const stack = synthesize({ ...everything, SIGNING_KEYS: 'main' })
const only = <Properties>(type: string) => stack.only(type).Properties as Properties

const dkim = Object.keys(stack.template.Outputs ?? {}).filter(name => name.startsWith('MailIdentityDkim')).length
/** Those that mails link to. */
const pages = routeKeysOf('pages').filter(key => /^GET \/\w/.test(key)).length

const floodOf = (event: AuthEvent['event']) => floodsFor(1e6).find(flood => flood.event === event)?.threshold

const { RedrivePolicy } = stack.properties('MailQueue') as { RedrivePolicy: { maxReceiveCount: number } }
const tries = RedrivePolicy.maxReceiveCount
const workers = only<{ ScalingConfig: { MaximumConcurrency: number } }>('AWS::Lambda::EventSourceMapping').ScalingConfig
  .MaximumConcurrency

/** What a million hashes cost. */
const megabytes = Number(stack.functionProperties('login').MemorySize)
const gigabyteSeconds = (0.55 * megabytes) / 1024
const hashes = gigabyteSeconds * prices.gigabyteSecond * 1e6

const { modules, parameters } = buildCatalogue(readSource()).counts
const missed = read('docs/performance.md').split('**missed**').length - 1

/** A passage with its numbers in parentheses, as digits or a word, and what they must be: to two decimals. */
const passages: [file: string, passage: RegExp, numbers: unknown[]][] = [
  ['README.md', /the (\w+) pages that/gi, [pages]],
  [
    'docs/catalogue.md',
    /(\S+) query modules of a content-site API with their (\S+) parameters/g,
    [modules, parameters],
  ],
  ['docs/deploy.md', /prints (\w+) outputs whose names begin with `MailIdentityDkim`/g, [dkim]],
  ['docs/deploy.md', /under `\/auth`, the (\w+) pages/g, [pages]],
  ['docs/deploy.md', /mails that failed (\w+) times/g, [tries]],
  ['docs/deploy.md', /Mails failed (\w+) times/g, [tries]],
  ['docs/deploy.md', /Each mail has (\w+) tries/g, [tries]],
  ['docs/deploy.md', /more mails than (\w+) workers send/g, [workers]],
  ['docs/deploy.md', /\| (\S+) metrics in (\S+) alarms, at/g, [fixed.alarmMetrics, fixed.alarms]],
  [
    'docs/deploy.md',
    /\| (\S+) metrics of events, (\S+) of mails and (\S+) of the access log/g,
    [fixed.events, fixed.mails, fixed.filters],
  ],
  [
    'docs/deploy.md',
    /\| A dashboard of (\S+) metrics \(free up to (\S+)\)/g,
    [fixed.dashboardMetrics, freeDashboardMetrics],
  ],
  ['docs/deploy.md', /per dashboard of more than (\S+) metrics/g, [freeDashboardMetrics]],
  ['docs/deploy.md', /\| (\S+) keys in KMS \(tokens, alarms\)/g, [fixed.keys]],
  [
    'docs/deploy.md',
    /hash at cost 12 is taken as 0.55 s of a whole vCPU \((\S+) MB are (\S+) GB: (\S+) GB-seconds, (\S+) dollars/g,
    [megabytes, megabytes / 1024, gigabyteSeconds, hashes],
  ],
  ['docs/deploy.md', /(\S+) requests in five minutes are answered 429/g, [tooManyRequestsFor(1e6)]],
  ['docs/deploy.md', /(\S+) requests in five minutes are over the limit/g, [floodOf('request-limited')]],
  [
    'docs/deploy.md',
    /(\S+) logins failed in five minutes, or (\S+) were refused/g,
    [floodOf('login-failed'), floodOf('login-limited')],
  ],
  ['docs/deploy.md', /(\S+) current passwords were wrong in five minutes/g, [floodOf('wrong-password')]],
  ['docs/deploy.md', /(\S+) accounts were opened in five minutes/g, [floodOf('registered')]],
  ['docs/performance.md', /Why (\w+) targets are missed/g, [missed]],
  [
    'docs/performance.md',
    /Lambda's (\w+) pollers: (\S+), \$(\S+)\./g,
    [pollers, fixed.polls, fixed.polls * prices.sqs],
  ],
]

const words = 'no one two three four five six seven eight nine ten eleven twelve thirteen'.split(' ')

function readNumber(text = ''): number {
  const word = words.indexOf(text.toLowerCase())
  return word < 0 ? Number(text.replaceAll(',', '')) : word
}

const prose = (file: string): string => read(file).replaceAll(/\s+/g, ' ')

test.each(passages)('%s counts rightly in %s', (file, passage, numbers) => {
  const stated = [...prose(file).matchAll(passage)].map(([, ...found]) => found.map(readNumber))
  expect(stated).not.toEqual([])
  const due = numbers.map(number => Number(Number(number).toFixed(2)))
  for (const values of stated) expect(values).toEqual(due)
})

describe('no other passage counts any of it', () => {
  const things = 'functions|alarms|metrics|keys|outputs|pages|tries|workers|pollers|modules|parameters|targets'
  const counted = new RegExp(`\\b(?:\\d[\\d,]*|${words.join('|')}) (?:${things})\\b`, 'gi')

  test.each(['README.md', ...globSync('docs/*.md', { cwd: root })])('in %s', file => {
    const held = passages.filter(([of]) => of === file).map(([, passage]) => passage)
    const rest = held.reduce((text, passage) => text.replaceAll(passage, ''), prose(file))
    expect(rest.match(counted) ?? []).toEqual([])
  })
})

test('the cold starts in docs/performance.md are those of every function', () => {
  const [, table = ''] = read('docs/performance.md').split('\n## Cold start\n')
  const named = [...(table.split('\n### ')[0] ?? '').matchAll(/^\| ([\w-]+) \(/gm)].map(([, name]) => name)
  expect(named).toEqual(functionNames)
})
