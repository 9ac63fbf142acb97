import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from './table.ts'

interface ColdStarts {
  date: string
  commit: string
  node: string
  rounds: number
  cores: number
  load: number
  empty: number
  functions: { name: string; ours: number; default: number; target?: number; targetOverDefault?: number }[]
}

/** What `npm run bench -- cold-start --save` measured last. Functions that it does not know yet are absent. */
export function coldStartTable(): string {
  const file = join(import.meta.dirname, '../../bench/cold-start.json')
  const { date, commit, node, rounds, cores, load, empty, functions } = JSON.parse(
    readFileSync(file, 'utf8'),
  ) as ColdStarts
  const bound = (ratio: number, target?: number) =>
    target === undefined ? '' : `≤ ${target}${ratio > target ? ' **missed**' : ''}`
  const rows = functions.map(({ name, ours, default: cdk, target, targetOverDefault }) => [
    `${name} (${ours.toFixed(1)} ms)`,
    `${(ours / empty).toFixed(2)} ×`,
    bound(ours / empty, target),
    `${cdk.toFixed(1)} ms`,
    `${(ours / cdk).toFixed(2)} ×`,
    bound(ours / cdk, targetOverDefault),
  ])
  const measured = `Measured on ${date} at commit ${commit} with Node ${node}: medians of ${rounds} starts in turns, over an empty function's ${empty.toFixed(1)} ms; ${cores} cores shared by ${load} processes.`
  return `${measured}\n\n${table(['', 'over an empty one', 'target', "the CDK's default", 'over it', 'target'], rows)}`
}
