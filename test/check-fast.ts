import { execFileSync, spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * `npm run check:fast`: types, lint, and the tests of what has changed since the branch left main, all at once. The tests of a
 * source are its mirror in `test/`, or those of the mirror of its folder.
 */

const root = join(import.meta.dirname, '..')
const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
const [base = 'HEAD'] = git('merge-base', 'HEAD', 'main')
const changed = [
  ...git('diff', '--name-only', '--diff-filter=d', base),
  ...git('ls-files', '--others', '--exclude-standard'),
]

function testsOf(file: string): string[] {
  if (file.startsWith('test/')) return file.endsWith('.test.ts') ? [file] : []
  const mirror = `test/${file.replace(/\.tsx?$/, '.test.ts')}`
  return existsSync(join(root, mirror)) ? [mirror] : globSync(`${dirname(mirror)}/*.test.ts`, { cwd: root })
}

const code = changed.filter(file => /\.(?:tsx?|json|css|html)$/.test(file))
const tests = [...new Set(code.filter(file => /\.tsx?$/.test(file)).flatMap(testsOf))]
const commands = [
  ['tsc', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'],
  ...(code.length > 0 ? [['biome', 'check', '--no-errors-on-unmatched', ...code]] : []),
  ...(tests.length > 0
    ? [
        [
          'vitest',
          'run',
          ...['stack', 'service', 'products'].flatMap(project => ['--project', project]),
          '--passWithNoTests',
          '--reporter',
          'dot',
          ...tests,
        ],
      ]
    : []),
]
/** Each says what it has to say when it has ended. */
const statuses = commands.map(async ([command = '', ...args]) => {
  const child = spawn(join(root, 'node_modules/.bin', command), args, { cwd: root })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => said.push(part))
  const status = await new Promise<number | null>(resolve => child.on('close', resolve))
  if (status !== 0 || command === 'vitest') process.stdout.write(Buffer.concat(said))
  return status
})
process.exitCode = (await Promise.all(statuses)).every(status => status === 0) ? 0 : 1
