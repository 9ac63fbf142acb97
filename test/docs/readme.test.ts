import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingsTable } from '../../infra/settings/settings.ts'
import { localSettingsTable } from '../../local/local-settings.ts'
import { type Route, routes } from '../../shared/api/routes.ts'

/** The README's tables repeat what the code says: these tests keep them true. */

const readme = readFileSync(join(import.meta.dirname, '../..', 'README.md'), 'utf8')
const scripts = Object.keys(
  (JSON.parse(readFileSync(join(import.meta.dirname, '../..', 'package.json'), 'utf8')) as { scripts: object }).scripts,
)

/** The rows of the tables under a heading, each as its cells. */
function rowsUnder(heading: string): string[][] {
  const [, rest = ''] = readme.split(`\n## ${heading}\n`)
  const [section = ''] = rest.split('\n## ')
  return section
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line =>
      line
        .slice(1, -1)
        .split(' | ')
        .map(cell => cell.trim()),
    )
}

const inReadme = (cells: string[]) => `| ${cells.join(' | ')} |`

test('the README lists every setting with its default and its meaning', () => {
  const settings = Object.entries({ ...settingsTable, ...localSettingsTable }).map(([name, { fallback, meaning }]) => [
    `\`${name}\``,
    fallback === '' ? '' : `\`${fallback}\``,
    meaning,
  ])
  expect(rowsUnder('Settings').map(inReadme)).toEqual(settings.map(inReadme))
})

test('the README lists every endpoint, in the order of the route table', () => {
  const endpoints = Object.values<Route>(routes).flatMap(({ on, summary, link }) => {
    const [methods = '', path = ''] = on.split(' ')
    const isBelow = link !== undefined && !methods.includes('POST') && link !== 'self'
    return isBelow ? [] : methods.split('|').map(method => [`\`${method} ${path}\``, summary])
  })
  expect(rowsUnder('The endpoints').map(inReadme)).toEqual(endpoints.map(inReadme))
})

test('every command in the README exists', () => {
  const commands = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script)
  expect(commands).not.toEqual([])
  for (const command of commands) expect(scripts).toContain(command)
})
