import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { CorrectedQuery } from '../session/check.ts'
import type { State } from '../session/state.ts'

/**
 * Applies the correction on demand, by a button or by Ctrl+Enter within `root`.
 *
 * @returns requests the correction of the present state, applied when finished unless something changes before
 */
export function useCorrection(
  root: RefObject<HTMLElement | null>,
  state: State,
  corrected: CorrectedQuery | undefined,
  replace: (text: string) => void,
): () => void {
  const wanted = useRef<State | null>(null)
  const take = () => {
    if (corrected?.of !== state || wanted.current !== state) return
    wanted.current = null
    if (corrected.correction.changes.length > 0) replace(corrected.correction.text)
  }
  useEffect(take, [corrected])

  const ask = () => {
    wanted.current = state
    take()
  }
  // Buttons and the shortcut keep an earlier render's callback, which reads the latest here.
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      latest.current()
    }
    root.current?.addEventListener('keydown', press)
  }, [])
  return () => latest.current()
}
