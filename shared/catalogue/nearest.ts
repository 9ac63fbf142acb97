// Finds the names that someone may have meant.

/** Names longer than this are cut before they are compared: the cost grows with the length. */
const comparedLength = 64

const namedAtMost = 3

/** The three of `names` that are nearest to `name`: the nearest first, then those of its length. Case is ignored. */
export const findNearest = (name: string, names: Iterable<string>): string[] =>
  rank(name, names, () => Number.POSITIVE_INFINITY)

/** Those of the three that `name` may be meant for: at most a third of its letters differ, or one contains the other. */
export const findLikely = (name: string, names: Iterable<string>): string[] =>
  rank(name, names, wanted => Math.ceil(wanted.length / 3))

/** The same, but the one that was surely meant comes first. */
export function findMeant(name: string, names: readonly string[]): string[] {
  const clear = findClear(name, names)
  return clear === undefined
    ? findLikely(name, names)
    : [
        clear,
        ...findLikely(
          name,
          names.filter(each => each !== clear),
        ),
      ]
}

/** Up to three of `names` that are at most `distance` edits away. */
export function findWithin(distance: number, name: string, names: Iterable<string>): string[] {
  if (name.length > comparedLength) return []
  const near: string[] = []
  const wanted = name.toLowerCase()
  for (const candidate of names) {
    // A difference in length takes at least as many edits.
    if (Math.abs(candidate.length - wanted.length) > distance) continue
    if (editDistance(wanted, candidate.toLowerCase(), distance) <= distance) near.push(candidate)
  }
  return findNearest(name, near)
}

/**
 * The one of `names` that `name` was surely meant for: it differs in at most two letters, and one in three, and no other
 * comes as near. Case is ignored.
 */
export function findClear(name: string, names: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase()
  if (wanted.length > comparedLength) return undefined
  const most = Math.min(2, Math.floor(wanted.length / 3))
  let nearest: string[] = []
  let least = most
  for (const candidate of names) {
    if (Math.abs(candidate.length - wanted.length) > least) continue
    const distance = editDistance(wanted, candidate.toLowerCase(), least)
    if (distance > least) continue
    nearest = distance < least ? [candidate] : [...nearest, candidate]
    least = distance
  }
  return nearest.length === 1 ? nearest[0] : undefined
}

function rank(name: string, names: Iterable<string>, farthest: (wanted: string) => number): string[] {
  const wanted = name.slice(0, comparedLength).toLowerCase()
  return [...names]
    .map(candidate => ({
      candidate,
      distance: distanceBetween(wanted, candidate.toLowerCase()),
      gap: Math.abs(candidate.length - wanted.length),
    }))
    .filter(({ distance }) => distance <= farthest(wanted))
    .sort((a, b) => a.distance - b.distance || a.gap - b.gap)
    .slice(0, namedAtMost)
    .map(({ candidate }) => candidate)
}

/** 0 for equal names, 1 where one contains the other (from three letters on), else the edit distance. */
function distanceBetween(a: string, b: string): number {
  if (a !== b && Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a))) return 1
  return editDistance(a, b)
}

/**
 * Damerau-Levenshtein: counts letters added, removed, changed, or swapped with the next.
 * @param most a greater distance counts as infinite: once two rows exceed it, all later rows do
 */
function editDistance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  let before: number[] = []
  let leastBefore = 0
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    let least = row
    for (let column = 1; column <= b.length; column++) {
      const differs = a[row - 1] === b[column - 1] ? 0 : 1
      let cost = Math.min(at(last, column) + 1, at(next, column - 1) + 1, at(last, column - 1) + differs)
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, at(before, column - 2) + 1)
      next.push(cost)
      least = Math.min(least, cost)
    }
    if (Math.min(least, leastBefore) > most) return Number.POSITIVE_INFINITY
    leastBefore = least
    before = last
    last = next
  }
  return at(last, b.length)
}

const at = (distances: number[], position: number): number => distances[position] ?? Number.POSITIVE_INFINITY
