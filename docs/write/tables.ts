import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultAccounts } from '../../bench/costs/throttles-and-quotas.ts'
import { floodsFor, tooManyRequestsFor } from '../../infra/monitoring/event-alarms.ts'
import { runbooks } from '../../infra/monitoring/runbooks.ts'
import type { Setting } from '../../infra/settings/setting.ts'
import { settingsTable } from '../../infra/settings/settings.ts'
import { localSettingsTable } from '../../local/local-settings.ts'
import { claims } from '../../shared/accounts/tokens/claims.ts'
import { needsOf, rows } from '../../shared/api/needs.ts'
import { functionNames } from '../../shared/api/route-keys.ts'
import { advice, type ErrorCode, refusals } from '../../shared/base/errors.ts'
import { eventNames } from '../../shared/base/system.ts'
import { generators } from '../../test/integrate/generators/generators.ts'
import { document } from '../../test/support/api/openapi.ts'
import { synthesize } from '../../test/support/stack/template.ts'
import { asvsTotals } from './asvs.ts'
import { costTables, priceList, regionList } from './costs.ts'
import { answerExamples, bodyList, endpointTable, pathTable } from './endpoints.ts'
import { code, table } from './markdown.ts'

const errorTable = (): string =>
  table(
    ['Code', 'Status', 'Text', 'What to do'],
    (Object.keys(refusals) as ErrorCode[]).map(name => {
      const [status, text] = refusals[name]
      return [code(name), String(status), text, advice[name]]
    }),
  )

/** What pages of other origins may send and read, as API Gateway is told in the template. */
function corsTable(): string {
  const { CorsConfiguration } = synthesize().only('AWS::ApiGatewayV2::Api').Properties as {
    CorsConfiguration: Record<string, string[]>
  }
  const list = (names: string[] = []) => names.map(code).join(', ')
  return table(
    ['Header or setting', 'What', 'Values'],
    [
      ['`CORS_ORIGINS`', 'Origins', list(CorsConfiguration.AllowOrigins)],
      ['`Access-Control-Allow-Methods`', 'Methods', list(CorsConfiguration.AllowMethods)],
      ['`Access-Control-Allow-Headers`', 'Headers that pages may send', list(CorsConfiguration.AllowHeaders)],
      ['`Access-Control-Expose-Headers`', 'Headers that pages may read', list(CorsConfiguration.ExposeHeaders)],
    ],
  )
}

const claimTable = (): string =>
  table(
    ['Claim', 'What it is', 'What to trust it for'],
    Object.entries(claims).map(([name, [what, trust]]) => [code(name), what, trust]),
  )

const settingTable = (settings: Record<string, Setting<unknown>>): string =>
  table(
    ['Setting', 'Default', 'Meaning'],
    Object.entries(settings).map(([name, { fallback, meaning }]) => [
      code(name),
      fallback === '' ? '' : code(fallback),
      meaning,
    ]),
  )

const root = join(import.meta.dirname, '../..')

/** The operators' commands, as their own help lists them. */
function commandTable(): string {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const rows = Object.entries(scripts).flatMap(([name, script]) => {
    const [file] = /operations\/\S+$/.exec(script) ?? []
    if (file === undefined) return []
    const help = execFileSync('node', [file, '--help'], { cwd: root, encoding: 'utf8' })
    const [summary = '', usage = ''] = help.split('\n\n')
    const listed = [...help.matchAll(/^ {2}([a-z-]+(?: \S+)*) {2,}(.+)$/gm)]
    if (!usage.includes('<command>')) return [[code(usage.replace(' [options]', '')), summary]]
    return listed.map(([, command = '', what = '']) => [code(`npm run ${name} -- ${command}`), what])
  })
  return table(['Command', 'What it does'], rows)
}

const generatorTable = (): string =>
  table(
    ['Generator', 'Version', 'How'],
    generators.map(({ name, version, advice: how = '' }) => [name, version, how]),
  )

const runbookTable = (): string =>
  table(
    ['Runbook', 'What its alarms mean', 'What to do first'],
    Object.entries(runbooks).map(([name, [meaning, firstAid]]) => [`[${name}](#${name})`, meaning, firstAid]),
  )

/** The thresholds of floods of events, which follow `EXPECTED_ACCOUNTS`. */
function floodTable(): string {
  const row = (what: string, threshold: number, runbook: string) => [
    what,
    threshold.toLocaleString('en'),
    `[${runbook}](#${runbook})`,
  ]
  return table(
    ['Event', `In five minutes, for ${defaultAccounts.toLocaleString('en')} accounts`, 'Runbook'],
    [
      row('Requests answered 429', tooManyRequestsFor(defaultAccounts), 'too-many-requests'),
      ...floodsFor(defaultAccounts).map(({ event, threshold, runbook }) => row(code(event), threshold, runbook)),
    ],
  )
}

const outboundTable = (): string =>
  table(
    ['Function', 'May call'],
    functionNames.flatMap(name => {
      const calls = Object.entries(needsOf(rows[name]).may)
      const of = ([resource, actions]: [string, readonly string[]]) => `${code(resource)}: ${actions.join(', ')}`
      return calls.length > 0 ? [[code(name), calls.map(of).join('; ')]] : []
    }),
  )

/** Every text, by the name of its markers. Importing this reads the bundles. */
export const texts: Record<string, string> = {
  endpoints: endpointTable(document),
  pages: pathTable('pages'),
  catalogue: pathTable('catalogue'),
  bodies: bodyList(),
  answers: answerExamples(document),
  errors: errorTable(),
  cors: corsTable(),
  claims: claimTable(),
  settings: settingTable(settingsTable),
  'local-settings': settingTable(localSettingsTable),
  commands: commandTable(),
  generators: generatorTable(),
  runbooks: runbookTable(),
  floods: floodTable(),
  events: `${eventNames.map(code).join(', ')}.`,
  outbound: outboundTable(),
  asvs: asvsTotals(),
  prices: priceList(),
  regions: regionList(),
  ...(await costTables()),
}
