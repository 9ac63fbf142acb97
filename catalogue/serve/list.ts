// Lists of modules. The usual ones are prebuilt; others are joined from the modules' own JSON.
import { compressNow } from '../../shared/prebuilt/encoding.ts'
import type { Answer } from '../../shared/prebuilt/pack.ts'
import type { ListQuery } from './filters.ts'
import type { Pack } from './pack.ts'

/** The longest list has 75 KB, so the kept ones stay under 6 MB. */
const keptLists = 64

/** The key of a list: the digits of its modules, and whether with parameters. */
export const listKey = (included: boolean[], whole: boolean): string => `${markModules(included)}${whole ? '+' : ''}`

/** A list's JSON, joined from its modules'. */
export const joinList = (version: string, modules: string[]): string =>
  `{"catalogue_version":${JSON.stringify(version)},"total":${modules.length},"modules":[${modules.join(',')}]}`

/** Answers lists from a pack. Compressing costs a few milliseconds, so results are kept. */
export function listAnswers(pack: Pack) {
  const kept = keepRecent<Answer>(keptLists)

  return ({ whole, matches }: ListQuery, compress: boolean): Answer => {
    const rows = pack.rows()
    const included = rows.map(row => matches(row))
    const key = listKey(included, whole)
    const known = pack.findList(key) ?? kept.get(key)
    if (known) return known

    const chosen = rows.filter((_, position) => included[position])
    const text = joinList(
      pack.version,
      chosen.map(({ name, summary }) => (whole ? (pack.find(`modules/query+${name}`)?.text ?? summary) : summary)),
    )
    const answer = { etag: `W/"${pack.hash}-${key}"`, text }
    if (!compress) return answer
    const compressed = { ...answer, ...compressNow(text) }
    kept.set(key, compressed)
    return compressed
  }
}

/** The modules in a list: one hexadecimal digit for each four of the pack, in its order. */
function markModules(included: boolean[]): string {
  let digits = ''
  for (let start = 0; start < included.length; start += 4) {
    const [a, b, c, d] = included.slice(start, start + 4)
    digits += ((a ? 8 : 0) + (b ? 4 : 0) + (c ? 2 : 0) + (d ? 1 : 0)).toString(16)
  }
  return digits
}

type Recent<T> = { get(key: string): T | undefined; set(key: string, value: T): void; readonly size: number }

/** Keeps the last `count` values. */
export function keepRecent<T>(count: number): Recent<T> {
  const values = new Map<string, T>()
  return {
    get: key => values.get(key),
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > count && oldest !== undefined) values.delete(oldest)
    },
    get size() {
      return values.size
    },
  }
}
