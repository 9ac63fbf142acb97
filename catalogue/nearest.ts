// Finds the names that somebody may have meant.

/** Longer names are cut before the comparison, whose cost grows with the length. */
const comparedLength = 64

const namedAtMost = 3

/** The three nearest of `names`: the nearest first, then those of the same length. Case is ignored. */
export const findNearest = (name: string, names: Iterable<string>): string[] =>
  rank(name, names, () => Number.POSITIVE_INFINITY)

/** Those of the three that are likely meant: at most a third of the letters differ, or one contains the other. */
export const findLikely = (name: string, names: Iterable<string>): string[] =>
  rank(name, names, wanted => Math.ceil(wanted.length / 3))

/** The same, with a surely meant name first. */
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
    if (editDistance(wanted, candidate.toLowerCase(), distance) <= distance) near.push(candidate)
  }
  return findNearest(name, near)
}

/** The surely meant one of `names`: at most two letters differ, and one in three, and no other is as near. Case is ignored. */
export function findClear(name: string, names: Iterable<string>): string | undefined {
  const { nearest } = findNear(name, names)
  return nearest.length === 1 ? nearest[0] : undefined
}

/** All names as near as a surely meant one; the distance is infinite without any. */
export function findNear(name: string, names: Iterable<string>): { nearest: string[]; distance: number } {
  const wanted = name.toLowerCase()
  if (wanted.length > comparedLength) return { nearest: [], distance: Number.POSITIVE_INFINITY }
  let nearest: string[] = []
  let least = Math.min(2, Math.floor(wanted.length / 3))
  for (const candidate of names) {
    const distance = editDistance(wanted, candidate.toLowerCase(), least)
    if (distance > least) continue
    nearest = distance < least ? [candidate] : [...nearest, candidate]
    least = distance
  }
  return { nearest, distance: nearest.length > 0 ? least : Number.POSITIVE_INFINITY }
}

function rank(name: string, names: Iterable<string>, farthest: (wanted: string) => number): string[] {
  const wanted = name.slice(0, comparedLength).toLowerCase()
  let nearest: { candidate: string; distance: number; gap: number }[] = []
  let most = farthest(wanted)
  for (const candidate of names) {
    const distance = distanceBetween(wanted, candidate.toLowerCase(), most)
    if (distance > most) continue
    nearest = [...nearest, { candidate, distance, gap: Math.abs(candidate.length - wanted.length) }]
      .sort((a, b) => a.distance - b.distance || a.gap - b.gap)
      .slice(0, namedAtMost)
    // Farther names than the last of these do not count, so most names need no whole comparison.
    most = nearest[namedAtMost - 1]?.distance ?? most
  }
  return nearest.map(({ candidate }) => candidate)
}

/** 0 for equal names, 1 where one contains the other (from three letters on), else the edit distance. */
function distanceBetween(a: string, b: string, most: number): number {
  if (a !== b && Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a))) return 1
  return editDistance(a, b, most)
}

/**
 * Damerau-Levenshtein: counts letters added, removed, changed, or swapped with the next.
 * @param most a greater distance counts as infinite: once two rows exceed it, all later rows do
 */
function editDistance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  if (lettersApart(a, b) > most) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let leastBefore = 0
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    let [diagonal, left, least] = [row - 1, row, row]
    for (let column = 1; column <= b.length; column++) {
      const above = at(last, column)
      let cost = Math.min(above + 1, left + 1, a[row - 1] === b[column - 1] ? diagonal : diagonal + 1)
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, at(before, column - 2) + 1)
      next.push(cost)
      least = Math.min(least, cost)
      diagonal = above
      left = cost
    }
    if (Math.min(least, leastBefore) > most) return Number.POSITIVE_INFINITY
    leastBefore = least
    before = last
    last = next
  }
  return at(last, b.length)
}

/** A lower bound of the edits: one for each letter that the other name lacks. Far cheaper than counting edits. */
function lettersApart(a: string, b: string): number {
  let rest = b
  let lacking = 0
  for (const letter of a.split('')) {
    const place = rest.indexOf(letter)
    if (place < 0) lacking++
    else rest = rest.slice(0, place) + rest.slice(place + 1)
  }
  return Math.max(lacking, rest.length)
}

const at = (distances: number[], position: number): number => distances[position] ?? Number.POSITIVE_INFINITY
