// Corrects a query: applies every suggested fix.
import type { Limits } from '../../../validate/finding.ts'
import type { Knowledge } from '../../../validate/knowledge.ts'
import { editQuery } from '../../../validate/text/edits.ts'
import type { Span } from '../../../validate/text/literal.ts'
import { textOf } from '../../../validate/text/pairs.ts'
import { readPairs } from '../../../validate/text/query.ts'
import { findFix } from '../../../validate/validate.ts'

type Change = { name: string; label: string }

/** A correction so far. `isDone`: no fix is left, or `mostChanges` are made. */
export type Correction = { text: string; changes: readonly Change[]; isDone: boolean }

/** Nobody reads a longer list. After these are applied, the next ones follow. */
export const mostChanges = 200

export const startCorrection = (text: string): Correction => ({ text, changes: [], isDone: false })

/**
 * Applies first suggestions one by one, errors before warnings before notices, until none is left or the time is up; at
 * least one. It terminates: each suggestion removes its finding and adds no error.
 */
export function correct(
  { text, changes, isDone }: Correction,
  limits: Limits,
  knowledge: Knowledge,
  isTimeUp: () => boolean = () => false,
): Correction {
  const made = [...changes]
  while (!isDone) {
    const fix = made.length < mostChanges ? findFix(text, limits, knowledge) : undefined
    if (!fix) return { text, changes: made, isDone: true }
    text = editQuery(text, fix.edits)
    made.push({ name: fix.name, label: fix.label })
    if (isTimeUp()) break
  }
  return { text, changes: made, isDone }
}

/** The changes, without those overwritten later. */
export function summarize(changes: readonly Change[]): Change[] {
  const writes = ({ name, label }: Change) => label.startsWith(`Write ${name}=`)
  return changes.filter(
    (change, at) => !(writes(change) && changes.slice(at + 1).some(next => next.name === change.name && writes(next))),
  )
}

/** The spans of `after` that are new: names, values or whole pairs. */
export function changedSpans(before: string, after: string): Span[] {
  const old = readPairs(before)
  const wholes = new Set(old.map(textOf))
  const names = new Set(old.map(({ rawName }) => rawName))
  const values = new Set(old.map(({ rawValue }) => rawValue))
  return readPairs(after).flatMap((pair): Span[] => {
    const { start, rawName, rawValue, spans } = pair
    if (wholes.has(textOf(pair))) return []
    const end = spans.value[1]
    const split = spans.name[1]
    if (names.has(rawName)) return [[rawValue ? spans.value[0] : start, end]]
    return [[start, values.has(rawValue) ? split : end]]
  })
}
