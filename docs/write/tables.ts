import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { guardedBy } from '../../accounts/account/attributes.ts'
import { type BoundName, bounds, ownForm } from '../../accounts/password/form.ts'
import { otherForms } from '../../accounts/password/forms.ts'
import { applicationClaims, claims } from '../../accounts/token/claims.ts'
import { needsOf, rows } from '../../api/needs.ts'
import { functionNames } from '../../api/route-keys.ts'
import { type Route, routes } from '../../api/routes.ts'
import { smallRegions } from '../../infra/constructs/throttles.ts'
import { countedEvents, floodsFor, tooManyRequestsFor } from '../../infra/monitoring/event-alarms.ts'
import { type RunbookText, runbooks } from '../../infra/monitoring/runbooks.ts'
import type { Setting } from '../../infra/settings/setting.ts'
import { settingsTable } from '../../infra/settings/settings.ts'
import { stagesTable } from '../../infra/settings/stage.ts'
import { localSettingsTable } from '../../local/local-settings.ts'
import { notTaken } from '../../operations/users/hash-record.ts'
import manifest from '../../package.json' with { type: 'json' }
import { type Guard, guards } from '../../shared/base/row.ts'
import { events, reasons, type SlowRequest, waits } from '../../shared/base/system.ts'
import { generators, unsupported } from '../../test/integrate/generators/generators.ts'
import { asvsTotals } from './asvs.ts'
import { type ClientOfOthers, clients } from './clients.ts'
import { commandTable } from './commands.ts'
import { additionsTable, totalTable, withAdditions } from './costs/additions.ts'
import { fixedTable, mailing, monthTable, serviceLine, totalLine } from './costs/monthly.ts'
import { priceList } from './costs/prices.ts'
import { attackTable, defaultAccounts, quotaTable } from './costs/throttles-and-quotas.ts'
import { absent, present } from './features.ts'
import { code, table, wrap } from './markdown.ts'
import { imageLicence, packageTable } from './packages.ts'
import { performanceTexts } from './performance.ts'
import { quotaUses, resourcesOf } from './template.ts'
import { languageTable } from './words/table.ts'

/** The paths of a function that serves several, with what each does. */
const pathTable = (name: Route['function']): string =>
  table(
    ['Path', 'Answer'],
    Object.values<Route>(routes).flatMap(row => (row.function === name ? [[code(row.on), row.summary]] : [])),
  )

/** What pages of other origins may send and read, as API Gateway is told in the template. */
function corsTable(): string {
  const [{ CorsConfiguration } = {}] = resourcesOf({})('AWS::ApiGatewayV2::Api')
  const allowed = CorsConfiguration as Record<string, string[]>
  const list = (names: string[] = []) => names.map(code).join(', ')
  return table(
    ['Header or setting', 'Values'],
    [
      ['`CORS_ORIGINS`', list(allowed.AllowOrigins)],
      ['`Access-Control-Allow-Methods`', list(allowed.AllowMethods)],
      ['`Access-Control-Allow-Headers`', list(allowed.AllowHeaders)],
      ['`Access-Control-Expose-Headers`', list(allowed.ExposeHeaders)],
    ],
  )
}

/** What AWS takes of a stack, and what a full one has: whatever fills it most. */
const quotaUseTable = (): string =>
  table(
    ['Of AWS', 'Takes', 'Used at most'],
    quotaUses({ ...mailing, ...withAdditions, SIGNING_KEYS: 'next,main' }).map(
      ({ name, limit, unit, source, most }) => [
        `${name} (${source})`,
        `${limit.toLocaleString('en')} ${unit}`,
        most.used.toLocaleString('en'),
      ],
    ),
  )

const claimTable = (): string =>
  table(
    ['Claim', 'What it is', 'What to trust it for'],
    Object.entries({ ...claims, ...applicationClaims }).map(([name, [what, trust]]) => [code(name), what, trust]),
  )

const settingTable = (settings: Record<string, Setting<unknown>>): string =>
  table(
    ['Setting', 'Default', 'Meaning'],
    Object.entries(settings).map(([name, { fallback, meaning, isList }]) => [
      code(name),
      fallback === '' ? '' : code(fallback),
      `${meaning}${isList ? ' JSON, or [a file](#lists-in-files).' : ''}`,
    ]),
  )

/** What hashes of passwords are taken, and within which bounds. */
const passwordForms = (): string => {
  const counted = (n: number) => n.toLocaleString('en')
  const limits = (Object.keys(bounds) as BoundName[]).map(
    name => `${name} ${counted(bounds[name].min)} to ${counted(bounds[name].max)}`,
  )
  return [
    table(
      ['Hash', 'Written by'],
      [ownForm, ...otherForms].map(({ written, by }) => [written.replace(/\S*…|^\{.*$/g, code), by]),
    ),
    wrap('', `Each is bounded: ${limits.join('; ')}.`),
  ].join('\n\n')
}

const refusedHashes = (): string => notTaken.map(([, name, example]) => wrap('- ', `${name}: ${example}`)).join('\n')

const generatorTable = (): string =>
  table(
    ['Generator', 'Version', 'How'],
    [
      ...generators.map(({ name, version, advice: how = '' }) => [name, version, how]),
      ...Object.entries(unsupported).map(([name, why]) => [name, 'not supported', why]),
    ],
  )

const clientTable = (): string =>
  table(
    ['Client', 'Lines', 'Redirect address', 'PKCE', "The user's name", 'Known'],
    clients.map(({ name, version, lines, redirect, pkce, user, known }) => [
      `${name} ${version}`.trim(),
      linesIn(lines),
      redirect,
      pkce,
      user,
      wordsOf(known),
    ]),
  )

function wordsOf(known: ClientOfOthers['known']): string {
  if (known === 'test') return 'Test'
  if ('ran' in known) return `Run, ${known.ran}`
  return 'test' in known ? `Test: ${code(known.test)}` : `[Docs](${known.at}), ${known.on}`
}

/** A program has a link. Other lines are in a cell, where `|` is escaped by the table, and Markdown reads nothing within `pre`. */
function linesIn(lines: ClientOfOthers['lines']): string {
  if ('example' in lines) return `[${lines.example}](examples/clients/${lines.example})`
  if ('guide' in lines) {
    const program = `examples/programs/${lines.guide}`
    return existsSync(join(import.meta.dirname, '..', program))
      ? `[${lines.guide}](${program})`
      : `${code(lines.guide)} below`
  }
  const escaped = lines.map(line => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '&#96;'))
  return `<pre>${escaped.join('<br>')}</pre>`
}

/** From how many events on an alarm of a runbook acts, for the default of `EXPECTED_ACCOUNTS`, which the thresholds follow. */
function thresholdOf(runbook: string): string {
  const floods = floodsFor(defaultAccounts, ['blocklist', 'clients', 'passkeys', 'providers']).filter(
    flood => flood.runbook === runbook,
  )
  const counted = floods.map(({ threshold, event }) => `${threshold} ${code(event)}`)
  if (runbook === 'too-many-requests') counted.push(tooManyRequestsFor(defaultAccounts).toLocaleString('en'))
  const within = floods[0]?.minutes === 60 ? 'an hour' : 'five minutes'
  return counted.length > 0 ? ` Threshold: ${counted.join(' or ')} in ${within}.` : ''
}

/** A section for each runbook. */
const runbookSections = (): string =>
  Object.entries<RunbookText>(runbooks)
    .map(([name, { meaning, more = '', steps }]) => {
      const [first, rest] = typeof more === 'string' ? [more, []] : ['', ['', ...more]]
      const paragraph = wrap('', [`${meaning}${thresholdOf(name)} ${first}`.trim(), ...rest])
      const numbered = steps.map((step, at) => wrap(`${at + 1}. `, step))
      return `### ${name}\n\n${paragraph}\n\n${numbered.join('\n')}`
    })
    .join('\n\n')

const eventText = (): string => {
  const list = (names: readonly string[]) => names.map(code).join(', ')
  const marked = (name: string) => (countedEvents.some(event => event === name) ? `**${code(name)}**` : code(name))
  const why = Object.entries(reasons).map(([event, words]) => `${code(event)} ${list(words)}`)
  return [
    `${Object.keys(events).map(marked).join(', ')}; of a request that takes over a second ${code('slow' satisfies SlowRequest['event'])}, with milliseconds by ${list(waits)}. Those in bold are metrics, which alarms count.`,
    `The reasons, which are no other words: ${why.join('; ')}; and ${code('request-limited')} the names of endpoints.`,
  ].join('\n\n')
}

/** Which functions may make a call. */
function outboundTable(): string {
  const all = functionNames.map(name => ({ name, calls: Object.entries(needsOf(rows[name]).may) }))
  const callers = all.filter(({ calls }) => calls.length > 0)
  const made = callers.flatMap(({ name, calls }) =>
    calls.flatMap(([resource, actions]: [string, readonly string[]]) =>
      actions.map(action => ({ name, call: `${code(resource)}: ${action}` })),
    ),
  )
  const byCall = Map.groupBy(made, ({ call }) => call)
  const named = (names: readonly string[]) => names.map(code).join(', ')
  const text = (may: readonly string[]) => {
    const rest = callers.map(({ name }) => name).filter(name => !may.includes(name))
    return rest.length < may.length ? `all but ${named(rest)}` : named(may)
  }
  const lines = [...byCall].map(([call, uses]) => {
    const [resource = '', action = ''] = call.split(': ')
    return { resource, action, by: text(uses.map(({ name }) => name)) }
  })
  const inWords = (calls: typeof lines) =>
    [...Map.groupBy(calls, ({ resource }) => resource)]
      .map(([resource, some]) => `${resource}: ${some.map(({ action }) => action).join(', ')}`)
      .join('; ')
  return table(
    ['Call', 'Functions that may make it'],
    [...Map.groupBy(lines, ({ by }) => by)].map(([by, calls]) => [inWords(calls), by]),
  )
}

/** Which functions may write what of an account; what opens accounts puts whole ones. */
function guardTable(): string {
  const needs = functionNames.map(name => ({ name, ...needsOf(rows[name]) }))
  const named = (some: typeof needs) => some.map(({ name }) => code(name)).join(', ') || 'no function: operators alone'
  const ofGuard = (guard: Guard) => guardedBy([guard]).map(code).join(', ')
  return table(
    ['Guard', 'Attributes', 'Written by'],
    [
      ...guards.map(guard => [guard, ofGuard(guard), named(needs.filter(({ writes }) => writes.includes(guard)))]),
      [
        'all',
        'A whole account',
        `What opens accounts: ${named(needs.filter(({ may }) => may.Accounts?.includes('PutItem')))}`,
      ],
    ],
  )
}

/** What there is, beside what there is not. */
const featureTable = (): string =>
  table(
    ['It has', 'It has not', 'Instead'],
    Array.from({ length: Math.max(present.length, absent.length) }, (_, i) => [
      present[i] ?? '',
      absent[i]?.what ?? '',
      absent[i]?.instead ?? '',
    ]),
  )

/** What there is not, and why. README says what to use instead. */
const absentTable = (): string =>
  table(
    ['Absent', 'Why'],
    absent.map(({ what, why }) => [what, why].map(cell => cell.replaceAll('](docs/', ']('))),
  )

/** The version, as a badge. It loads nothing. */
function versionBadge(): string {
  const { version } = manifest
  // A digit or a dot of this size takes at most 7 pixels.
  const width = 16 + 7 * version.length
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${56 + width}" height="20" role="img" aria-label="version ${version}">`,
    `  <rect width="${56 + width}" height="20" rx="3" fill="#1f5fbf"/>`,
    '  <path d="M3 0h53v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#444c56"/>',
    '  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">',
    `    <text x="28" y="14">version</text><text x="${56 + width / 2}" y="14">${version}</text>`,
    '  </g>',
    '</svg>',
  ].join('\n')
}

/** Every text, by the name of its markers. Importing this reads the bundles. */
export const texts: Record<string, string> = {
  catalogue: pathTable('catalogue'),
  cors: corsTable(),
  claims: claimTable(),
  settings: settingTable({ ...settingsTable, ...stagesTable }),
  'local-settings': settingTable(localSettingsTable),
  'quota-uses': quotaUseTable(),
  languages: languageTable(),
  commands: await commandTable(),
  'password-forms': passwordForms(),
  'refused-hashes': refusedHashes(),
  generators: generatorTable(),
  clients: clientTable(),
  'runbook-sections': runbookSections(),
  events: eventText(),
  outbound: outboundTable(),
  guards: guardTable(),
  packages: packageTable(),
  'image-licence': `LABEL org.opencontainers.image.licenses="${imageLicence()}"`,
  asvs: asvsTotals(),
  prices: priceList(),
  regions: `${Object.entries(smallRegions)
    .map(([region, name]) => `${name} (\`${region}\`)`)
    .join(', ')}.`,
  'costs-month': [monthTable(), serviceLine()].join('\n\n'),
  'costs-fixed': fixedTable(),
  'costs-more': additionsTable(),
  'costs-total': totalTable(),
  'costs-line': wrap('', totalLine()),
  features: featureTable(),
  absent: absentTable(),
  version: versionBadge(),
  'costs-attack': attackTable(),
  'costs-quotas': quotaTable(),
  ...performanceTexts,
}
