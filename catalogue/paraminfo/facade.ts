// Answers `action=paraminfo` from the catalogue, in the form of MediaWiki's clients.
import type { ModuleInfo } from './module-info.ts'
import { selectModules, shorten } from './paths.ts'

/** The fields of a request by name. Unknown ones are ignored. */
type Fields = ReadonlyMap<string, string>

/** An answer as JSON in ASCII: modules, or MediaWiki's error object with the code `error`. */
export type FacadeAnswer = { text: string; error?: string }

type Refusal = { code: string; info: string }

type Version = 1 | 2

const versions = new Map<string, Version>([
  ['1', 1],
  ['2', 2],
  ['latest', 2],
])

/** The values of fields with a fixed choice. All but `action` may be absent. */
const choices: Record<string, readonly string[]> = {
  format: ['json'],
  formatversion: [...versions.keys()],
  action: ['paraminfo'],
  helpformat: ['none', 'html', 'wikitext', 'raw'],
}

/** MediaWiki's maximum for anonymous callers. */
const mostValues = 50

/** Opens the facade for the modules of `describeAll`. */
export function openFacade(modules: ModuleInfo[]) {
  const known = new Map(modules.map(module => [module.path, module]))

  return (fields: Fields): FacadeAnswer => {
    const version = versions.get(fields.get('formatversion') ?? '') ?? 1
    const refusal = refusalOf(fields)
    if (refusal) return writeRefusal(refusal, version)
    return { text: write(describe(fields, known, version), version) }
  }
}

/** The error object, also for unreadable requests. */
export function writeRefusal({ code, info }: Refusal, version: Version = 1): FacadeAnswer {
  const help = 'Only action=paraminfo with format=json is answered here: see /catalogue.'
  return { text: write({ error: { code, info, [version === 2 ? 'docref' : '*']: help } }, version), error: code }
}

function refusalOf(fields: Fields): Refusal | undefined {
  for (const [name, values] of Object.entries(choices)) {
    const value = fields.get(name)
    if (value !== undefined && !values.includes(value)) {
      return { code: 'badvalue', info: `Unrecognized value for parameter "${name}": ${shorten(value)}.` }
    }
  }
  if (!fields.has('action')) return { code: 'missingparam', info: 'The "action" parameter must be set.' }
  const tooLong = ['modules', 'querymodules'].find(name => readValues(fields, name).length > mostValues)
  if (tooLong === undefined) return undefined
  const info = `Too many values supplied for parameter "${tooLong}". The limit is ${mostValues}.`
  return { code: 'toomanyvalues', info }
}

function describe(fields: Fields, known: ReadonlyMap<string, ModuleInfo>, version: Version): object {
  const { modules, warnings } = selectModules(readValues(fields, 'modules'), known)
  const querymodules: object[] = []
  for (const name of new Set(readValues(fields, 'querymodules'))) {
    const module = known.get(`query+${name}`)
    if (module) querymodules.push({ ...module, querytype: module.group })
    else warnings.push(`Unrecognized value for parameter "querymodules": ${shorten(name)}.`)
  }
  if ((fields.get('helpformat') ?? 'none') !== 'none') warnings.push('There are no help texts here.')
  const text = { [version === 2 ? 'warnings' : '*']: warnings.join('\n') }
  return {
    ...(warnings.length > 0 && { warnings: { paraminfo: text } }),
    paraminfo: {
      helpformat: 'none',
      ...(modules.length > 0 && { modules }),
      ...(querymodules.length > 0 && { querymodules }),
    },
  }
}

/** Values joined with `|`, or with U+001F if the text begins with it. Stops when there are too many. */
function readValues(fields: Fields, name: string): string[] {
  const text = fields.get(name) ?? ''
  if (text === '') return []
  return text.startsWith('\x1f') ? text.slice(1).split('\x1f', mostValues + 1) : text.split('|', mostValues + 1)
}

function write(answer: object, version: Version): string {
  const json = version === 2 ? JSON.stringify(answer) : JSON.stringify(answer, asInVersion1)
  return json.replace(/[\x7f-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Writes `true` as the empty text, and leaves `false` out. */
function asInVersion1(_: string, value: unknown): unknown {
  if (typeof value !== 'boolean') return value
  return value ? '' : undefined
}
