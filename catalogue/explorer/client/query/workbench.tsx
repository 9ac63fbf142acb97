import { useMemo, useRef } from 'preact/hooks'
import { BuilderPlace } from '../builder-place.tsx'
import { CopyBox } from '../copy/copy-box.tsx'
import { catalogue } from '../knowledge.ts'
import { useSession } from '../session/session.ts'
import { Announcement } from './announcement.tsx'
import { Corrected } from './corrected.tsx'
import { Editor } from './editor.tsx'
import { ExampleList } from './examples.tsx'
import { Findings } from './findings.tsx'
import { Overview } from './overview.tsx'
import { useCorrection } from './use-correction.ts'
import { useField } from './use-field.ts'
import { useFocus } from './use-focus.ts'
import { useJudged } from './use-judged.ts'

/** The query check and the builder: two views of one text. */
export function Workbench() {
  const session = useSession()
  const { state, checked, corrected, isChecking, isTooLong, go } = session
  const { text } = state
  const { field, caret, writing, change, replace, edit, type, leave, undo } = useField(state, go)
  // On a busy machine the field is a letter ahead of the rendered text, and its caret belongs to another text.
  const at = field.current?.value === text ? field.current.selectionStart : (writing?.caret ?? caret)
  const { judged, findings, current, said, status } = useJudged(session, writing, { caret, at })
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const focus = useFocus({ root, field, list }, isChecking)
  const replaceText = (text: string) => focus.afterChange(replace(text))
  const applyCorrection = useCorrection(root, state, corrected, replaceText)

  const tryExample = (query: string) => {
    replaceText(query)
    focus.toFirstFinding()
  }

  const results = useMemo(
    () => (
      <Findings
        report={judged}
        current={current}
        list={list}
        applyFix={(edits, index, event) => {
          const isWritten = edit(edits)
          // A click by keyboard has a count of 0.
          if (event.detail === 0) focus.toFix(index)
          focus.afterChange(isWritten, index)
        }}
        show={focus.toFinding}
        addMissing={name => {
          edit([{ op: 'add', name, value: '' }])
          focus.toField()
        }}
      />
    ),
    [judged, current],
  )
  // A correction stays while the next one runs, so that nothing moves while somebody types.
  const isCorrectable = judged.findings.some(({ suggestions: [first] }) => first && !first.loses && !first.choice)
  const shown = corrected?.correction.changes.length ? corrected : undefined
  const isCorrected = corrected?.of === state
  const hasFindings = judged.findings.length > 0
  const correction = useMemo(
    () => (
      <Corrected
        corrected={isCorrectable && shown}
        isOld={!isCorrected}
        hasFindings={hasFindings}
        apply={applyCorrection}
        choose={replaceText}
      />
    ),
    [isCorrectable, isCorrected, shown, hasFindings],
  )
  // Rendered once the check is done, not with each letter of a long text.
  const answers = useMemo(
    () => (
      <div class="answers">
        <Overview report={checked.report} />
        <CopyBox text={checked.of.text} errors={judged.counts.error} />
      </div>
    ),
    [checked, judged.counts.error],
  )
  const form = useMemo(() => <BuilderPlace text={text} report={judged} change={change} />, [text, judged])

  const isEmpty = text.trim() === ''
  return (
    <div class="check" ref={root} tabIndex={-1}>
      <div class="card pair">
        <Editor
          state={state}
          findings={findings}
          field={field}
          status={status}
          type={type}
          leave={leave}
          choose={limits => go({ ...state, limits }, 'done')}
          clear={() => replaceText('')}
          undo={undo && (() => focus.afterChange(undo()))}
        />
        <Announcement text={said} />
        {isEmpty ? <div class="findings" /> : !isTooLong && results}
        {isEmpty ? <ExampleList catalogue={catalogue} choose={tryExample} /> : !isTooLong && correction}
      </div>
      {!isTooLong && answers}
      {!isTooLong && form}
    </div>
  )
}
