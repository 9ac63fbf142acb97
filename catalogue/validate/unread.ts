// Names of the catalogue in code that no pair of the query has: what a reader of code overlooks is said, not lost.
import { choosing, type Knowledge, pageSets } from './knowledge.ts'
import { isSensitive, type Pair } from './text/pairs.ts'

/** A name with what gives it a value: `srlimit=`, `"srlimit": 5`, `srlimit => 5`, `:srlimit 5`, `("srlimit", 5)`. */
const named =
  /\b([a-z]\w{3,})(?:["'`]|\])?(?:\[\])?[ \t]*(?:=>?(?!=)|:=?|->|,|[ \t](?=["'\d$]))(?!\s*(?:null|none|nil|false|undefined)\b)/gi

/** What stands behind such a mark is a comment. */
const comment = /(?:^|\s)(?:\/\/|#|--|;|\*|REM)\s/

/** Nobody reads a longer list. */
const most = 20

/** @returns the names as pairs without values, at their places */
export function findUnread(text: string, pairs: readonly Pair[], { wires }: Knowledge): Pair[] {
  const read = new Set(pairs.map(({ name }) => name))
  const found: Pair[] = []
  for (const { index, 0: whole, 1: name = '' } of text.matchAll(named)) {
    const target = wires.get(name)
    const isWire = target !== undefined && target.module.prefix !== ''
    const before = text[index - 1] ?? ''
    const isAsked = /[?&]/.test(before) && [...choosing, ...pageSets].some(each => each === name)
    if (!(isWire || (isAsked && whole.endsWith('='))) || read.has(name) || isSensitive(name) || /[.$%-]/.test(before))
      continue
    const isInside = pairs.some(
      ({ spans }) => spans.name[0] <= index && index < Math.max(spans.name[1], spans.value[1]),
    )
    const line = text.slice(Math.max(text.lastIndexOf('\n', index) + 1, index - 200), index)
    if (isInside || comment.test(line)) continue
    read.add(name)
    const [start, end] = [index, index + name.length]
    const spans: Pair['spans'] = { name: [start, end], value: [end, end] }
    found.push({ name, value: '', rawName: name, rawValue: null, start, spans, isMalformed: false })
    if (found.length === most) break
  }
  return found
}
