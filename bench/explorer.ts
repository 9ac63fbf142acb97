// Measures the explorer: what a first visit of a page transfers, by its parts, and what a typed letter costs.
import { chromiumIsThere, chromiumPath } from '../test/browser/chromium.ts'
import { measureTyping } from './explorer/typing.ts'
import { type Weight, weighFiles, weighPages, weighParts } from './explorer/weight.ts'
import { type Figure, printFigures, printTable } from './measure/figures.ts'

const { script, style } = await weighFiles()
const pages = await weighPages()

/** Thousands of bytes. */
const inKilobytes = (...bytes: number[]): number => bytes.reduce((sum, each) => sum + each, 0) / 1000

printFigures(
  'A first visit: a page, the script and the style sheet',
  pages.flatMap(({ path, weight }): Figure[] => [
    { what: `${path}, brotli`, figure: inKilobytes(weight.br, script.br, style.br), unit: 'KB', target: 45 },
    { what: `${path}, gzip`, figure: inKilobytes(weight.gzip, script.gzip, style.gzip), unit: 'KB' },
  ]),
)

const row = (name: string, { br, gzip, plain }: Weight): string[] => [
  name,
  ...[br, gzip, plain].map(bytes => `${inKilobytes(bytes).toFixed(1)} KB`),
]

printTable(
  'Its parts',
  ['', 'brotli', 'gzip', 'not compressed'],
  [
    ...pages.map(({ path, weight }) => row(path, weight)),
    row('the style sheet', style),
    row('the script', script),
    ...(await weighParts()).map(([name, weight]) => row(`of it ${name}`, weight)),
  ],
)

if (chromiumIsThere()) printFigures('A typed letter, CPU of the main thread, medians', await measureTyping())
else
  console.log(
    `\nA typed letter is not measured: there is no Chromium at ${chromiumPath}. CHROMIUM_PATH says where it is.`,
  )
