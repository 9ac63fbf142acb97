import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { code, table } from './table.ts'

const root = join(import.meta.dirname, '../..')

/** The operators' commands, as their own help lists them. */
export function commandTable(): string {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const rows = Object.entries(scripts)
    .filter(([, script]) => script.startsWith('node operations/'))
    .flatMap(([name, script]) => {
      const help = execFileSync('node', [...script.split(' ').slice(1), '--help'], { cwd: root, encoding: 'utf8' })
      const [summary = '', usage = ''] = help.split('\n\n')
      const listed = [...help.matchAll(/^ {2}([a-z-]+(?: \S+)*) {2,}(.+)$/gm)]
      if (!usage.includes('<command>')) return [[code(usage.replace(' [options]', '')), summary]]
      return listed.map(([, command = '', what = '']) => [code(`npm run ${name} -- ${command}`), what])
    })
  return table(['Command', 'What it does'], rows)
}
