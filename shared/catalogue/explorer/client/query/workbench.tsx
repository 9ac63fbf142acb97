import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Edit, Finding } from '../../../report.ts'
import { editQuery } from '../../../validate/edits.ts'
import { Builder } from '../builder/builder.tsx'
import { CopyBox } from '../copy/copy-box.tsx'
import { Announcement } from './announcement.tsx'
import { Asked } from './asked.tsx'
import { Corrected } from './corrected.tsx'
import { Editor, markAt } from './editor.tsx'
import { ExampleList } from './example-list.tsx'
import { Findings } from './findings.tsx'
import type { How } from './history.ts'
import { rewrite } from './rewrite.ts'
import { useSession } from './session.ts'
import { longestText } from './state.ts'
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
  /** The finding whose fix is to have the focus next. */
  const next = useRef<number | undefined>(undefined)

  useEffect(() => {
    const follow = () => {
      if (document.activeElement === field.current) setCaret(field.current?.selectionStart ?? -1)
    }
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [])

  // A button that was pressed by keyboard is gone with its finding.
  useLayoutEffect(() => {
    if (next.current === undefined || isChecking) return
    const fixes = [...(list.current?.children ?? [])].slice(next.current).concat(...(list.current?.children ?? []))
    next.current = undefined
    const button = fixes.flatMap(finding => finding.querySelector<HTMLElement>('.fix') ?? [])[0]
    ;(button ?? field.current)?.focus()
  })

  const change = (text: string, how: How) => go({ ...latest.current, text }, how)

  /** Gives the field another text, so that its own Undo takes it back where that can be. */
  const put = (text: string): boolean => {
    how.current = 'done'
    const isWritten = field.current !== null && rewrite(field.current, text)
    how.current = 'typed'
    if (!isWritten) change(text, 'done')
    return isWritten
  }

  const type = (text: string) => {
    setCaret(field.current?.selectionStart ?? -1)
    change(text, how.current)
  }

  const mend = (edits: readonly Edit[], index: number, event: MouseEvent) => {
    const isWritten = put(editQuery(latest.current.text, edits))
    // A click by keyboard has no count.
    if (event.detail === 0 || !isWritten) next.current = index
  }

  const point = (finding: Finding) => {
    const [start, end] = spanOf(finding) ?? [0, 0]
    if (!field.current) return
    field.current.focus()
    field.current.setSelectionRange(start, end)
    markAt(field.current, start)?.scrollIntoView({ block: 'nearest' })
  }

  const canTake = !isChecking && correction.changes.length > 0
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
    () => <Findings report={report} current={current} list={list} mend={mend} point={point} />,
    [report, current],
  )

  // Of a long text, it waits for the report too.
  const copies = useMemo(() => <CopyBox text={checked.of.text} />, [checked.of])
  const form = useMemo(() => <Builder text={text} report={report} change={change} />, [text, report])

  return (
    <div class="check" ref={root}>
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
        {!isEmpty && !isTooLong && (
          <>
            {correction.changes.length > 0 && <Corrected checked={checked} take={take} />}
            <Asked report={report} />
            {copies}
          </>
        )}
      </div>
      {!isTooLong && form}
    </div>
  )
}
