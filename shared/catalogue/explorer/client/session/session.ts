// The state of the page, what is found in it, and where it is kept.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Checked, check, goOn } from './check.ts'
import { type How, openSteps, type Steps } from './history.ts'
import { emptyState, longestText, readFragment, type State } from './state.ts'

/** What is checked with every letter. The work grows with the square of the pairs. */
const short = { characters: 2000, pairs: 30 }

/** ms without a letter after which a longer text is checked. */
const pause = 250

type Session = {
  state: State
  /** Of `state`, or of what was there before while that is being checked. */
  checked: Checked
  isChecking: boolean
  isTooLong: boolean
  go(state: State, how: How): void
}

export function useSession(): Session {
  const [{ state, checked }, setView] = useState(() => viewOf(asWritten(readFragment(location.hash))))
  const steps = useRef<Steps | undefined>(undefined)

  const show = useMemo(
    () => (next: State) => {
      const state = asWritten(next)
      setView(({ checked }) => viewOf(state, checked))
      return state
    },
    [],
  )

  useEffect(() => {
    steps.current = openSteps(state, show)
    return () => steps.current?.close()
  }, [])

  // What is not done at once goes on here, until another letter comes.
  useEffect(() => {
    const isChecked = checked.of === state
    if (isChecked && checked.correction.isDone) return
    const more = () => setView({ state, checked: isChecked ? goOn(checked) : check(state) })
    const timer = setTimeout(more, isChecked ? 0 : pause)
    return () => clearTimeout(timer)
  }, [state, checked])

  return {
    state,
    checked,
    isChecking: checked.of !== state,
    isTooLong: state.text.length > longestText,
    go: (next, how) => steps.current?.write(show(next), how),
  }
}

type View = { state: State; checked: Checked }

function viewOf(state: State, checked?: Checked): View {
  const { length } = state.text
  if (length > longestText) return { state, checked: { ...check(emptyState), of: state } }
  const isShort = length <= short.characters && state.text.split('&').length <= short.pairs
  if (!isShort) return { state, checked: checked ?? check(emptyState) }
  return { state, checked: check(state) }
}

/** A text area has line feeds alone, and findings count its characters. */
function asWritten({ text, limits }: State): State {
  return { text: text.replace(/\r\n?/g, '\n'), limits }
}
