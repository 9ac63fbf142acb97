import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Edit, Finding } from '../../../shared/catalogue/report.ts'
import { editQuery } from '../../../shared/catalogue/validate/text/edits.ts'
import { Builder } from '../builder/builder.tsx'
import { CopyBox } from '../copy/copy-box.tsx'
import { catalogue } from '../knowledge.ts'
import { useSession } from '../session/session.ts'
import { longestText, type State } from '../session/state.ts'
import { Announcement } from './announcement.tsx'
import { Corrected } from './corrected.tsx'
import { Editor, markAt } from './editor.tsx'
import { ExampleList } from './examples.tsx'
import { countsOf, Findings, severityNames } from './findings.tsx'
import { Overview } from './overview.tsx'
import { findingAt, spanOf, withoutPairAt } from './underlines.ts'
import { useField } from './use-field.ts'

/** The query check and the builder: two views of one text. */
export function Workbench() {
  const { state, checked, isChecking, corrected, isTooLong, go } = useSession()
  const { report } = checked
  const { text } = state
  const { field, caret, isAtRest, change, replace, type, leave, undo } = useField(state, go)
  const latest = useRef(text)
  latest.current = text
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  /** What gets the focus after a fix: the next fix from `index` on, or `fallback` if none is left. */
  const nextFocus = useRef<{ index: number; fallback: HTMLElement | null } | null>(null)
  /** Whether an example was chosen: its query and its first finding are to be seen. */
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
    if (nextFocus.current === null) return
    const { index, fallback } = nextFocus.current
    nextFocus.current = null
    const all = [...(list.current?.children ?? [])]
    const fixes = [...all.slice(index), ...all].flatMap(finding => finding.querySelector<HTMLElement>('.fix') ?? [])
    ;(fixes[0] ?? fallback)?.focus()
  })

  /** Focuses a fix or the page where the field was not written in, which would bring up a touch keyboard. */
  const focusAfter = (isWritten: boolean): boolean => {
    if (!isWritten) nextFocus.current = { index: 0, fallback: root.current }
    return isWritten
  }
  const replaceText = (text: string): boolean => focusAfter(replace(text))

  const tryExample = (query: string) => {
    replaceText(query)
    isToBeSeen.current = true
  }

  const applyFix = (edits: readonly Edit[], index: number, event: MouseEvent) => {
    const isWritten = replaceText(editQuery(latest.current, edits))
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
    replaceText(editQuery(latest.current, [{ op: 'add', name, value: '' }]))
    nextFocus.current = null
    field.current?.focus()
  }

  /** The state whose correction is to be taken once it is finished, unless something changes before. */
  const wanted = useRef<State | null>(null)
  const isCorrected = corrected?.of === state
  const takeCorrection = () => {
    if (!isCorrected || wanted.current !== state) return
    wanted.current = null
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
  const isCorrectable = judged.findings.some(({ suggestions: [first] }) => first && !first.loses && !first.choice)
  const shown = corrected?.correction.changes.length ? corrected : undefined
  const hasFindings = judged.findings.length > 0
  const correction = useMemo(
    () => (
      <Corrected
        corrected={isCorrectable && shown}
        isOld={!isCorrected}
        hasFindings={hasFindings}
        apply={() => latestApply.current()}
        choose={replaceText}
      />
    ),
    [isCorrectable, isCorrected, shown, hasFindings],
  )
  // These render once the check is done, not with each letter of a long text.
  const answers = useMemo(
    () => (
      <div class="answers">
        <Overview report={report} />
        <CopyBox text={checked.of.text} errors={judged.counts.error} />
      </div>
    ),
    [checked, judged.counts.error],
  )
  const form = useMemo(() => <Builder text={text} report={report} change={change} />, [text, report])

  return (
    <div class="check" ref={root} tabIndex={-1}>
      <div class="card pair">
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
          leave={leave}
          choose={limits => go({ ...state, limits }, 'done')}
          clear={() => replaceText('')}
          undo={undo && (() => focusAfter(undo()))}
        />
        <Announcement text={said} />
        {!isEmpty && !isTooLong && results}
        {isEmpty ? <ExampleList catalogue={catalogue} choose={tryExample} /> : !isTooLong && correction}
      </div>
      {!isTooLong && answers}
      {!isTooLong && form}
    </div>
  )
}
