import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Finding } from '../../../report.ts'
import { markAt } from './editor.tsx'
import { spanOf } from './underlines.ts'

/** The focus after a fix: the next fix from `index` on, or `fallback` if none is left. */
type Next = { index: number; fallback: HTMLElement | null }

type Parts = {
  root: RefObject<HTMLElement | null>
  field: RefObject<HTMLTextAreaElement | null>
  /** The findings. */
  list: RefObject<HTMLElement | null>
}

/** Moves focus and page to the result of a change, once the changed text is checked. */
export function useFocus({ root, field, list }: Parts, isChecking: boolean) {
  const next = useRef<Next | null>(null)
  const isToBeSeen = useRef(false)

  useLayoutEffect(() => {
    if (isChecking) return
    if (isToBeSeen.current) {
      isToBeSeen.current = false
      for (const part of [list.current?.firstElementChild, field.current?.closest('.editor')]) {
        part?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      }
    }
    // A pressed button disappears together with its finding.
    if (next.current === null) return
    const { index, fallback } = next.current
    next.current = null
    const all = [...(list.current?.children ?? [])]
    const fixes = [...all.slice(index), ...all].flatMap(finding => finding.querySelector<HTMLElement>('.fix') ?? [])
    ;(fixes[0] ?? fallback)?.focus()
  })

  return {
    /** Focuses a fix or the page instead of an untouched field, which would open a touch keyboard. */
    afterChange(isWritten: boolean, index = 0): void {
      if (!isWritten) next.current = { index, fallback: root.current }
    },
    /** A pressed fix that disappears passes the focus to the next one. */
    toFix(index: number): void {
      next.current = { index, fallback: field.current }
    },
    toField(): void {
      next.current = null
      field.current?.focus()
    },
    /** Selects the part of a finding. */
    toFinding(finding: Finding): void {
      if (!field.current) return
      const [start, end] = spanOf(finding) ?? [0, 0]
      field.current.focus({ preventScroll: true })
      field.current.setSelectionRange(start, end)
      const place = markAt(field.current, start) ?? field.current
      place.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    },
    /** Shows the query and its first finding. */
    toFirstFinding(): void {
      isToBeSeen.current = true
    },
  }
}
