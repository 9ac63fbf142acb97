import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Edit, Finding } from '../../../report.ts'
import { editQuery } from '../../../validate/text/edits.ts'
import { Builder } from '../builder/builder.tsx'
import { CopyBox } from '../copy/copy-box.tsx'
import type { How } from '../session/history.ts'
import { useSession } from '../session/session.ts'
import { longestText } from '../session/state.ts'
import { Announcement } from './announcement.tsx'
import { Asked } from './asked.tsx'
import { Corrected } from './corrected.tsx'
import { Editor, markAt } from './editor.tsx'
import { ExampleList } from './example-list.tsx'
import { Findings } from './findings.tsx'
import { rewrite } from './rewrite.ts'
import { findingAt, spanOf } from './underlines.ts'
import { countsOf, severityNames } from './words.ts'

/** The query check and the builder: two views of one text. */
export function Workbench() {
  const { state, checked, isChecking, isTooLong, go } = useSession()
  const { report, correction } = checked
  const { text } = state
  const latest = useRef(state)
  latest.current = state
  const root = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const [caret, setCaret] = useState(-1)
  /** How the next input of the field came about. */
  const how = useRef<How>('typed')
  /** What has the focus next: the fix of a finding, or something else where there is none. */
  const next = useRef<{ index: number; rest: HTMLElement | null } | undefined>(undefined)

  useEffect(() => {
    const follow = () => {
      if (document.activeElement === field.current) setCaret(field.current?.selectionStart ?? -1)
    }
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [])

  // A button that was pressed by keyboard or touch is gone with its finding.
  useLayoutEffect(() => {
    if (next.current === undefined || isChecking) return
    const { index, rest } = next.current
    next.current = undefined
    const all = [...(list.current?.children ?? [])]
    const fixes = [...all.slice(index), ...all].flatMap(finding => finding.querySelector<HTMLElement>('.fix') ?? [])
    ;(fixes[0] ?? rest)?.focus()
  })

  const change = (text: string, how: How) => go({ ...latest.current, text }, how)

  /** Gives the field another text, so that its own Undo takes it back where that can be. */
  const put = (text: string): boolean => {
    how.current = 'done'
    const isWritten = field.current !== null && rewrite(field.current, text)
    how.current = 'typed'
    if (isWritten) return true
    change(text, 'done')
    next.current = { index: 0, rest: root.current }
    return false
  }

  const type = (text: string) => {
    setCaret(field.current?.selectionStart ?? -1)
    change(text, how.current)
  }

  const mend = (edits: readonly Edit[], index: number, event: MouseEvent) => {
    const isWritten = put(editQuery(latest.current.text, edits))
    // A click by keyboard has no count.
    if (event.detail === 0) next.current = { index, rest: field.current }
    if (!isWritten) next.current = { index, rest: root.current }
  }

  const point = (finding: Finding) => {
    const [start, end] = spanOf(finding) ?? [0, 0]
    if (!field.current) return
    field.current.focus({ preventScroll: true })
    field.current.setSelectionRange(start, end)
    const place = markAt(field.current, start) ?? field.current
    place.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }

  const begin = (name: string) => {
    put(editQuery(latest.current.text, [{ op: 'add', name, value: '' }]))
    next.current = undefined
    field.current?.focus()
  }

  const canTake = !isChecking && checked.after !== undefined
  const take = () => canTake && put(correction.text)

  const strike = useRef(take)
  strike.current = take
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      strike.current()
    }
    root.current?.addEventListener('keydown', press)
  }, [])

  const isEmpty = text.trim() === ''
  const findings = isChecking || isEmpty ? [] : report.findings
  const current = findingAt(caret, findings)
  const said = isEmpty
    ? ''
    : isTooLong
      ? `Longer than ${longestText.toLocaleString('en')} characters: that is more than is checked.`
      : isChecking
        ? 'Checking…'
        : countsOf(report)

  const results = useMemo(
    () => <Findings report={report} current={current} list={list} mend={mend} point={point} begin={begin} />,
    [report, current],
  )

  // While a long text is checked or corrected, what waits for that costs nothing.
  const hasMore = correction.changes.length > 0
  const answers = useMemo(
    () => (
      <>
        {hasMore && <Corrected checked={checked} take={() => strike.current()} />}
        <Asked report={report} />
        <CopyBox text={checked.of.text} errors={report.counts.error} />
      </>
    ),
    [checked.of, checked.after, hasMore],
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
              ? `${severityNames[current.severity]}: ${current.message}`
              : said || 'Nothing you type leaves this page.'
          }
          isWrong={findings.some(({ severity }) => severity === 'error')}
          type={type}
          choose={limits => go({ ...state, limits }, 'done')}
          clear={() => put('')}
        />
        <Announcement text={said} />
        {!isEmpty && !isTooLong && results}
      </div>
      <div>
        {isEmpty && <ExampleList choose={put} />}
        {!isEmpty && !isTooLong && answers}
      </div>
      {!isTooLong && form}
    </div>
  )
}
