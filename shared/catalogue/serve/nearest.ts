// The names that someone may have meant.

/** Names longer than this are cut before they are compared: the cost grows with the length. */
const comparedLength = 64

/** The three of `names` that come nearest to `name`, the nearest first, equals in their own order; case is ignored. */
export function findNearest(name: string, names: string[]): string[] {
  const wanted = name.slice(0, comparedLength).toLowerCase()
  return names
    .map(candidate => ({ candidate, distance: distanceBetween(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** 0 for equals, 1 where one holds the other (from three letters on), else the Damerau-Levenshtein distance. */
function distanceBetween(a: string, b: string): number {
  if (a !== b && Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a))) return 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const differs = a[row - 1] === b[column - 1] ? 0 : 1
      let cost = Math.min(at(last, column) + 1, at(next, column - 1) + 1, at(last, column - 1) + differs)
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, at(before, column - 2) + 1)
      next.push(cost)
    }
    before = last
    last = next
  }
  return at(last, b.length)
}

function at(distances: number[], position: number): number {
  return distances[position] ?? Number.POSITIVE_INFINITY
}
