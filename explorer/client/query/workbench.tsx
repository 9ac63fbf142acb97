import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Edit, Finding } from '../../../shared/catalogue/report.ts'
import { editQuery } from '../../../shared/catalogue/validate/text/edits.ts'
import { Builder } from '../builder/builder.tsx'
import { CopyBox } from '../copy/copy-box.tsx'
import { catalogue } from '../knowledge.ts'
import type { How } from '../session/history.ts'
import { useSession } from '../session/session.ts'
import { longestText, type State } from '../session/state.ts'
import { Announcement } from './announcement.tsx'
import { Corrected } from './corrected.tsx'
import { Editor, markAt } from './editor.tsx'
import { ExampleList } from './examples.tsx'
import { countsOf, Findings, severityNames } from './findings.tsx'
import { Overview } from './overview.tsx'
import { rewrite } from './rewrite.ts'
import { findingAt, spanOf, withoutPairAt } from './underlines.ts'

/** ms after a letter before an unfinished pair, and what is absent, is judged: most people write on sooner. */
const pause = 500

/** The query check and the builder: two views of one text. */
export function Workbench() {
  const { state, checked, isChecking, corrected, isTooLong, go } = useSession()
  const { report } = checked
  const { text } = state
  const latest = useRef(state)
  latest.current = state
  const root = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const [caret, setCaret] = useState(-1)
  /** What causes the field's next input event. */
  const how = useRef<How>('typed')
  /** What gets the focus after a fix: the next fix from `index` on, or `fallback` if none is left. */
  const nextFocus = useRef<{ index: number; fallback: HTMLElement | null } | undefined>(undefined)

  useEffect(() => {
    const follow = () => {
      if (document.activeElement === field.current) setCaret(field.current?.selectionStart ?? -1)
    }
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [])

  // A pressed button disappears together with its finding.
  useLayoutEffect(() => {
    if (nextFocus.current === undefined || isChecking) return
    const { index, fallback } = nextFocus.current
    nextFocus.current = undefined
    const all = [...(list.current?.children ?? [])]
    const fixes = [...all.slice(index), ...all].flatMap(finding => finding.querySelector<HTMLElement>('.fix') ?? [])
    ;(fixes[0] ?? fallback)?.focus()
  })

  /** The state whose correction is to be taken once it is finished, unless something changes before. */
  const wanted = useRef<State | undefined>(undefined)

  const change = (text: string, how: How) => {
    wanted.current = undefined
    go({ ...latest.current, text }, how)
  }

  /** Replaces the field's text, if possible so that the browser's Undo restores the old one. */
  const replaceText = (text: string): boolean => {
    how.current = 'done'
    const isWritten = field.current !== null && rewrite(field.current, text)
    how.current = 'typed'
    if (isWritten) return true
    change(text, 'done')
    nextFocus.current = { index: 0, fallback: root.current }
    return false
  }

  /** Whether somebody has paused since the last letter: until then, what they are writing is not judged. */
  const [isAtRest, setAtRest] = useState(true)
  useEffect(() => {
    if (isAtRest) return
    const timer = setTimeout(setAtRest, pause, true)
    return () => clearTimeout(timer)
  }, [isAtRest, text])

  const type = (text: string, isLetter: boolean) => {
    setCaret(field.current?.selectionStart ?? -1)
    setAtRest(!isLetter || how.current === 'done')
    change(text, how.current)
  }

  const applyFix = (edits: readonly Edit[], index: number, event: MouseEvent) => {
    const isWritten = replaceText(editQuery(latest.current.text, edits))
    // A click by keyboard has a count of 0.
    if (event.detail === 0) nextFocus.current = { index, fallback: field.current }
    if (!isWritten) nextFocus.current = { index, fallback: root.current }
  }

  const show = (finding: Finding) => {
    const [start, end] = spanOf(finding) ?? [0, 0]
    if (!field.current) return
    field.current.focus({ preventScroll: true })
    field.current.setSelectionRange(start, end)
    const place = markAt(field.current, start) ?? field.current
    place.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }

  const addMissing = (name: string) => {
    replaceText(editQuery(latest.current.text, [{ op: 'add', name, value: '' }]))
    nextFocus.current = undefined
    field.current?.focus()
  }

  const isCorrected = corrected?.of === state
  const takeCorrection = () => {
    if (!isCorrected || wanted.current !== state) return
    wanted.current = undefined
    if (corrected.correction.changes.length > 0) replaceText(corrected.correction.text)
  }
  useEffect(takeCorrection, [corrected])

  const applyCorrection = () => {
    wanted.current = state
    takeCorrection()
  }
  const latestApply = useRef(applyCorrection)
  latestApply.current = applyCorrection
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      latestApply.current()
    }
    root.current?.addEventListener('keydown', press)
  }, [])

  const isEmpty = text.trim() === ''
  const judged = useMemo(
    () => (isAtRest ? report : withoutPairAt(field.current?.selectionStart ?? caret, report)),
    [report, isAtRest, isAtRest ? -1 : caret],
  )
  const findings = isChecking || isEmpty ? [] : judged.findings
  const current = findingAt(caret, findings)
  const said = isEmpty
    ? ''
    : isTooLong
      ? `Longer than ${longestText.toLocaleString('en')} characters: that is more than is checked.`
      : isChecking
        ? 'Checking…'
        : judged === report
          ? countsOf(report)
          : ''

  const results = useMemo(
    () => (
      <Findings report={judged} current={current} list={list} applyFix={applyFix} show={show} addMissing={addMissing} />
    ),
    [judged, current],
  )

  // A correction stays while the next one is under way, so that nothing moves while somebody types.
  const isCorrectable = isCorrected
    ? corrected.correction.changes.length > 0
    : judged.findings.some(({ suggestions: [first] }) => first && !first.loses && !first.choice)
  const shown = corrected?.correction.changes.length ? corrected : undefined
  const correction = useMemo(
    () =>
      isCorrectable && (
        <Corrected
          corrected={shown}
          isOld={!isCorrected}
          apply={() => latestApply.current()}
          choose={text => replaceText(text)}
        />
      ),
    [isCorrectable, isCorrected, shown],
  )
  // These render once the check is done, not with each letter of a long text.
  const answers = useMemo(
    () => (
      <>
        <Overview report={report} />
        <CopyBox text={checked.of.text} errors={report.counts.error} />
      </>
    ),
    [checked],
  )
  const form = useMemo(() => <Builder text={text} report={report} change={change} />, [text, report])

  return (
    <div class="check" ref={root} tabIndex={-1}>
      <div>
        <Editor
          state={state}
          findings={findings}
          field={field}
          status={
            current
              ? `${severityNames[current.severity]}: ${current.message}${findings.length > 1 && said ? ` In all: ${said}.` : ''}`
              : said || 'Nothing you type leaves this page.'
          }
          isWrong={findings.some(({ severity }) => severity === 'error')}
          type={type}
          leave={() => setAtRest(true)}
          choose={limits => go({ ...state, limits }, 'done')}
          clear={() => replaceText('')}
        />
        <Announcement text={said} />
        {!isEmpty && !isTooLong && results}
      </div>
      <div>
        {isEmpty && <ExampleList catalogue={catalogue} choose={replaceText} />}
        {!isEmpty && !isTooLong && correction}
        {!isEmpty && !isTooLong && answers}
      </div>
      {!isTooLong && form}
    </div>
  )
}
