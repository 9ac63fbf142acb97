import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Edit, Report } from '../../../report.ts'
import { editQuery } from '../../../validate/text/edits.ts'
import { joinValues } from '../../../validate/text/pairs.ts'
import { effectivePairs } from '../../../validate/text/query.ts'
import { knowledge } from '../knowledge.ts'
import type { ChangeKind } from '../session/history.ts'
import { addModule, removeModule, setChoices, setValue } from './changes.ts'
import { type Field, type Put, readCards, readChosen } from './fields.ts'
import { ModuleCard } from './module-card.tsx'
import { ModulePicker } from './module-picker.tsx'

export type BuilderProps = {
  text: string
  report: Report
  change(text: string, kind: ChangeKind): void
  /** The section around it. */
  root: RefObject<HTMLElement | null>
}

/** The query as a form: modules to choose, and their parameters to fill in. Its only state is the query's text. */
export function Builder({ text, report, change, root }: BuilderProps) {
  const select = useRef<HTMLSelectElement>(null)
  const [said, say] = useState('')
  const chosen = readChosen(report, knowledge)
  const cards = readCards(text, report, knowledge)
  // An unchanged card keeps its first callbacks, which read the latest text here.
  const latest = useRef({ text, change })
  latest.current = { text, change }
  const apply = (kind: ChangeKind, write: (text: string) => Edit[]) => {
    const { text, change } = latest.current
    const edits = write(text)
    if (edits.length > 0) change(editQuery(text, edits), kind)
  }
  /** Values written by the builder: a default that somebody else wrote stays. */
  const own = useRef(new Map<string, string>())
  const putInto = (field: Field): Put => ({
    value: (value, kind) => apply(kind, text => setValue(text, field.name, value)),
    values: values =>
      apply('done', text => {
        const { name } = field
        const given = effectivePairs(text).get(name)?.value
        const isOwn = given === undefined || given === own.current.get(name)
        if (isOwn) own.current.set(name, joinValues(values))
        return setChoices(text, field, values, isOwn)
      }),
  })

  // The card of pages disappears with its last value, and the focus with it.
  const hadFocus = root.current?.contains(document.activeElement)
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body) select.current?.focus()
  })

  return (
    <>
      <ModulePicker
        knowledge={knowledge}
        chosen={chosen}
        select={select}
        add={added => {
          say(`${added.module.name} is added below.`)
          apply('done', text => addModule(text, added, chosen))
        }}
      />
      <p class="unseen" role="status">
        {said}
      </p>
      {cards.length === 0 && (
        <p class="note">Each module that you add shows its parameters here, as fields to fill in.</p>
      )}
      <div class="cards">
        {cards.map(card => (
          <ModuleCard
            key={card.key}
            card={card}
            putInto={putInto}
            remove={removed => {
              select.current?.focus()
              say(`${removed.module.name} is removed.`)
              apply('done', text => removeModule(text, removed))
            }}
          />
        ))}
      </div>
    </>
  )
}
