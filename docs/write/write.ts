import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleWhatChanged } from '../../infra/build/bundle.ts'
import { fill } from './markdown.ts'

/**
 * Writes what the documents, the badge and the Dockerfile repeat of the code between the markers there: `npm run docs`. With `--check` it writes nothing, names
 * the files that would change, and exits with 1 if there are any.
 */

await bundleWhatChanged()
const { texts } = await import('./tables.ts')

const root = join(import.meta.dirname, '../..')
const isChecking = process.argv.includes('--check')
const written = new Set<string>()
const changed = ['Dockerfile', 'docs/images/version.svg', ...globSync('{*,docs/*}.md', { cwd: root })].filter(file => {
  const path = join(root, file)
  const before = readFileSync(path, 'utf8')
  const after = fill(before, texts, written)
  if (after !== before && !isChecking) writeFileSync(path, after)
  return after !== before
})

const unplaced = Object.keys(texts).filter(name => !written.has(name))
if (unplaced.length > 0) throw new Error(`no document has markers for ${unplaced.join(', ')}`)
for (const file of changed)
  console.log(isChecking ? `${file} is out of date: run npm run docs` : `${file} is written anew`)
if (isChecking && changed.length > 0) process.exitCode = 1
