import { dirname } from 'node:path'

/** An import of one file or folder by another. */
export type Arrow = readonly [from: string, to: string]

/** The arrows of circles. */
export function circling(arrows: readonly Arrow[]): Arrow[] {
  const leaving = Map.groupBy(arrows, ([from]) => from)
  const leads = (start: string, goal: string, seen = new Set([start])): boolean =>
    start === goal || (leaving.get(start) ?? []).some(([, to]) => !seen.has(to) && leads(to, goal, seen.add(to)))
  return arrows.filter(([from, to]) => leads(to, from))
}

/** The sibling folders that an import joins; null if one contains the other. */
export function foldersOf([from, to]: Arrow): Arrow | null {
  const [start, end] = [dirname(from).split('/'), dirname(to).split('/')]
  const parting = start.findIndex((name, i) => name !== end[i])
  if (parting === -1 || parting >= end.length) return null
  return [start.slice(0, parting + 1).join('/'), end.slice(0, parting + 1).join('/')]
}
