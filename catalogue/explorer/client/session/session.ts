// The page's state, its check, and its address.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { mayBeCode } from '../../../validate/text/query.ts'
import { isLoaded, lacksRare, loadParts } from '../late.ts'
import { type Checked, type CorrectedQuery, check, correctSoon } from './check.ts'
import { type AddressSync, type ChangeKind, syncAddress } from './history.ts'
import { emptyState, longestText, readFragment, type State } from './state.ts'

/** Texts up to this size are checked at each letter. The work grows with the square of the pairs. */
const short = { characters: 2000, pairs: 30 }

/** Milliseconds without a letter before a longer text is checked. */
const pause = 250

export type Session = {
  state: State
  /** The check of `state`, or of the previous state while `state` is being checked. */
  checked: Checked
  isChecking: boolean
  /** The last finished correction, possibly of an earlier state. */
  corrected: CorrectedQuery | undefined
  isTooLong: boolean
  go(state: State, kind: ChangeKind): void
}

export function useSession(): Session {
  const [{ state, checked }, setView] = useState(() => viewOf(normalize(readFragment(location.hash))))
  const [corrected, setCorrected] = useState<CorrectedQuery | undefined>(undefined)
  const isChecking = checked.of !== state
  const isTooLong = state.text.length > longestText
  const address = useRef<AddressSync | undefined>(undefined)

  const show = useMemo(
    () => (next: State) => {
      const state = normalize(next)
      setView(({ checked }) => viewOf(state, checked))
      return state
    },
    [],
  )

  useEffect(() => {
    address.current = syncAddress(state, show)
    return () => address.current?.close()
  }, [])

  useEffect(() => {
    if (isTooLong) return
    if (!isReady(state)) return
    if (!isChecking) return correctSoon(state, setCorrected)
    // Effects run after a frame: a letter may be typed, and this end before it is cleared.
    const end = () => setView(latest => (latest.state === state ? checkNow(latest) : latest))
    const timer = setTimeout(end, pause)
    return () => clearTimeout(timer)
  }, [state, checked])

  const isEmpty = state.text.trim() === ''
  useEffect(() => {
    // The same text again, with all parts of the check.
    if (!isReady(state)) loadParts().then(() => setView(checkNow))
  }, [isEmpty, lacksRare()])

  return {
    state,
    checked,
    isChecking,
    isTooLong,
    corrected,
    go: (next, kind) => address.current?.write(show(next), kind),
  }
}

/** Whether the check of a text has all its parts. */
const isReady = ({ text }: State): boolean => text.trim() === '' || (isLoaded() && !lacksRare())

type View = { state: State; checked: Checked }

function viewOf(state: State, checked?: Checked): View {
  const { length } = state.text
  const before = { state, checked: checked ?? check(emptyState) }
  if (length > longestText) return checkNow(before)
  const isShort = length <= short.characters && state.text.split('&').length <= short.pairs
  return isShort && (isLoaded() || !mayBeCode(state.text)) ? checkNow(before) : before
}

/** Checks the text. With the first unknown name or value, the previous check stays until there are words for it. */
function checkNow({ state, checked }: View): View {
  if (state.text.length > longestText) return { state, checked: { ...check(emptyState), of: state } }
  const latest = check(state)
  return { state, checked: isLoaded() && lacksRare() ? checked : latest }
}

/** A text area turns line breaks into line feeds, and findings count its characters. */
const normalize = ({ text, limits }: State): State => ({ text: text.replace(/\r\n?/g, '\n'), limits })
