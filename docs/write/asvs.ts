import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import levels from './asvs-levels.json' with { type: 'json' }
import { table } from './markdown.ts'

/** What docs/security-asvs.md says of OWASP ASVS 5.0, as data. */

export const verdicts = ['holds', 'deviates', 'does not apply'] as const

/** A row: one requirement, or several that get the same answer. */
interface Row {
  ids: string[]
  /** Their levels, each once. */
  levels: string
  verdict: (typeof verdicts)[number]
  /** What shows that they hold, or why they do not. */
  reason: string
}

const page = join(import.meta.dirname, '../security-asvs.md')

export const asvsRows: Row[] = [...readFileSync(page, 'utf8').matchAll(/^\| (\d[\d., ]+) \| (.+) \|$/gm)].map(
  ([, ids = '', rest = '']) => {
    const [levels = '', , verdict = '', ...reason] = rest.split(' | ')
    return { ids: ids.split(', '), levels, verdict: verdict as Row['verdict'], reason: reason.join(' | ') }
  },
)

/** Of a requirement of the standard: 1, 2 or 3; null where there is none. */
export function levelOf(id: string): number | null {
  const at = id.lastIndexOf('.')
  const level = (levels as Record<string, string>)[id.slice(0, at)]?.[Number(id.slice(at + 1)) - 1]
  return level === undefined ? null : Number(level)
}

/** The ids of levels 1 and 2, in the standard's order. */
export const dueIds: string[] = Object.entries(levels)
  .flatMap(([section, all]) => [...all].map((_, i) => `${section}.${i + 1}`))
  .filter(id => Number(levelOf(id)) <= 2)

/** How many requirements of each level have each verdict. */
export function asvsTotals(): string {
  const count = (level: number, verdict: string) =>
    asvsRows.filter(row => row.verdict === verdict).flatMap(({ ids }) => ids.filter(id => levelOf(id) === level)).length
  return table(
    ['Level', ...verdicts, 'in all'],
    [1, 2].map(level => {
      const counts = verdicts.map(verdict => count(level, verdict))
      return [level, ...counts, counts.reduce((sum, n) => sum + n)].map(String)
    }),
    verdicts.length + 1,
  )
}
