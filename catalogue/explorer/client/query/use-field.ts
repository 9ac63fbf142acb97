import { useEffect, useRef, useState } from 'preact/hooks'
import type { Edit } from '../../../report.ts'
import { editQuery } from '../../../validate/text/edits.ts'
import type { ChangeKind } from '../session/history.ts'
import type { State } from '../session/state.ts'
import type { Writing } from './judged.ts'
import { rewrite } from './rewrite.ts'

/** Milliseconds after a letter before absences and unpromising pairs are judged: most people type on sooner. */
const pause = 500

/** A replacement of the whole text: a fix, an example, an empty one. */
type Step = { before: string; after: string }

/** The query's field: its caret, whether somebody types, and replacements of its text with their undo. */
export function useField(state: State, go: (state: State, kind: ChangeKind) => void) {
  const { text } = state
  const latest = useRef(state)
  latest.current = state
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(-1)
  const [writing, setWriting] = useState<Writing | null>(null)
  const [steps, setSteps] = useState<readonly Step[]>([])
  /** The cause of the field's next input event. */
  const kind = useRef<ChangeKind>('typed')

  useEffect(() => {
    const follow = () => {
      if (document.activeElement === field.current) setCaret(field.current?.selectionStart ?? -1)
    }
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [])

  useEffect(() => {
    if (!writing || writing.hasPaused) return
    // Effects run after a frame: a letter may be typed, and this end before it is cleared.
    const end = () => setWriting(latest => (latest === writing ? { ...writing, hasPaused: true } : latest))
    const timer = setTimeout(end, pause)
    return () => clearTimeout(timer)
  }, [writing])

  const change = (text: string, kind: ChangeKind) => go({ ...latest.current, text }, kind)

  /** @returns whether the browser's own Undo reverts it too */
  const replace = (after: string): boolean => {
    const before = latest.current.text
    kind.current = 'done'
    const isWritten = field.current !== null && rewrite(field.current, after)
    kind.current = 'typed'
    if (!isWritten) change(after, 'done')
    if (before !== after) setSteps(steps => [...steps, { before, after }])
    return isWritten
  }

  const edit = (edits: readonly Edit[]): boolean => replace(editQuery(latest.current.text, edits))

  const type = (text: string, isLetter: boolean) => {
    const caret = field.current?.selectionStart ?? -1
    setCaret(caret)
    setWriting(isLetter && kind.current === 'typed' ? { text, caret, hasPaused: false } : null)
    change(text, kind.current)
  }

  const last = steps.at(-1)
  /** Restores the text before the last step, unless something was typed since. @returns as `replace` */
  const undo = (): boolean => {
    const isWritten = replace(last?.before ?? text)
    setSteps(steps.slice(0, -1))
    return isWritten
  }

  return {
    field,
    caret,
    writing,
    change,
    replace,
    edit,
    type,
    leave: () => setWriting(null),
    undo: last?.after === text ? undo : null,
  }
}
