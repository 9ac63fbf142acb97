/** The value of each parameter in a case. */
type Case<P> = { [N in keyof P]: P[N] extends readonly (infer V)[] ? V : never }

/**
 * A few cases that cover every combination of some parameters' values: a covering array, made greedily.
 *
 * @param values of each parameter
 * @param meeting the names of parameters whose values meet
 * @param isPossible whether a partly known case is possible
 */
export function covering<P extends Record<string, readonly string[]>>(
  values: P,
  meeting: readonly (readonly (keyof P & string)[])[],
  isPossible: (some: Partial<Case<P>>) => boolean,
): Case<P>[] {
  type Some = Record<string, string>
  const possible = (some: Some) => isPossible(some as Partial<Case<P>>)
  const keyOf = (names: readonly string[], some: Some) => names.map(name => `${name}=${some[name]}`).join()
  const missing = new Map<string, Some>()
  for (const names of meeting) {
    const all = names.reduce<Some[]>(
      (some, name) => some.flatMap(one => (values[name] ?? []).map(value => ({ ...one, [name]: value }))),
      [{}],
    )
    for (const some of all) if (possible(some)) missing.set(keyOf(names, some), some)
  }
  const byName = Object.fromEntries(
    Object.keys(values).map(name => [name, meeting.filter(names => names.includes(name))]),
  )
  const gain = (name: string, some: Some) =>
    (byName[name] ?? []).filter(names => names.every(each => each in some) && missing.has(keyOf(names, some))).length

  const cases: Case<P>[] = []
  for (let [first] = missing.values(); first; [first] = missing.values()) {
    let some = first
    for (const name of Object.keys(values).filter(each => !(each in some))) {
      const next = (values[name] ?? []).map(value => ({ ...some, [name]: value })).filter(possible)
      some = next.reduce((best, other) => (gain(name, other) > gain(name, best) ? other : best), next[0] as Some)
    }
    for (const names of meeting) missing.delete(keyOf(names, some))
    cases.push(some as Case<P>)
  }
  return cases
}
