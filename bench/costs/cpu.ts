import { isHashing, rows } from '../../shared/api/needs.ts'
import type { FunctionName } from '../../shared/api/routes.ts'

/** Milliseconds of CPU. Those of a hash, at cost 12 on a full vCPU, are an estimate that the guide explains. */
export const cpu = { hash: 550, other: 10 }

/** Hashes of a request: usually, and at most (after a change of cost, a login replaces the hash). */
const hashes: Partial<Record<FunctionName, { usual: number; most: number }>> = {
  login: { usual: 1, most: 2 },
  'change-password': { usual: 2, most: 2 },
}

const hashesOf = (name: FunctionName, which: 'usual' | 'most'): number =>
  isHashing(rows[name]) ? (hashes[name]?.[which] ?? 1) : 0

/** Milliseconds of CPU of an invocation. */
export const cpuOf = (name: FunctionName, which: 'usual' | 'most'): number =>
  cpu.other + cpu.hash * hashesOf(name, which)
