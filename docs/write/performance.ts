import measured from '../measured.json' with { type: 'json' }
import { code, table } from './markdown.ts'

/** The figures of docs/performance.md, of all that `npm run bench -- --save` has measured: what a user decides by. */

type Section = keyof typeof measured

/** The table of a section by its place there. */
const tableOf = (section: Section, place = 0) => measured[section].tables[place] ?? { head: [], rows: [] }

/** A row of a table by its name. @throws {Error} when the bench no longer measures it */
function rowOf(section: Section, name: string, place = 0): string[] {
  const row = tableOf(section, place).rows.find(([what]) => what === name)
  if (!row) throw new Error(`docs/measured.json has no ${name} in ${section}`)
  return row
}

/** Those that people wait for most often, and the worker. */
const shownFunctions = [
  'login',
  'passkey-login',
  'provider-login',
  'register',
  'refresh',
  'get-me',
  'forgot-password',
  'on-mail-queued',
  'catalogue',
  'pages',
]

/** The bundles and cold starts of some functions, and the range of all that call AWS. */
function functionTable(): string {
  const rows = shownFunctions.map(name => {
    const [, atStart = '', , , size = ''] = rowOf('bundles', name)
    const [, cpu = '', , , overDefault = ''] = rowOf('cold-start', name)
    return [code(name), atStart, size, cpu, overDefault]
  })
  return table(['Function', 'Code', "Over the CDK's default", 'Cold start, CPU', "Over the CDK's default"], rows, 4)
}

const rowsOf = (section: Section, names: readonly string[], place = 0) => names.map(name => rowOf(section, name, place))

export const performanceTexts: Record<string, string> = {
  measured: [...new Set(Object.values(measured).map(({ when }) => when))].join('\n'),
  start: table(['', 'Time'], tableOf('start').rows, 1),
  functions: functionTable(),
  warm: table(
    ['A warm function', 'CPU', 'Over', 'CPU', 'Ratio'],
    [...rowsOf('warm', ['login', 'login with an unknown address']), ...tableOf('warm', 1).rows],
  ),
  answers: table(
    ['The catalogue answers a request for', 'CPU'],
    [
      ...rowsOf('catalogue', ['a module', 'all modules', 'a search']),
      ...rowsOf('catalogue', ['ten pairs', 'ten pairs, a mistake in each'], 1).map(([what, cpu = '']) => [
        `the check of a query of ${what}`,
        cpu,
      ]),
    ],
    1,
  ),
}
