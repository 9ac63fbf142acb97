import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Edit, Report } from '../../../report.ts'
import { editQuery } from '../../../validate/text/edits.ts'
import { knowledge } from '../knowledge.ts'

import type { How } from '../session/history.ts'
import { addModule, removeModule, setValue, setValues } from './changes.ts'
import type { Put } from './control.ts'
import { type Field, readCards, readChosen } from './fields.ts'
import { ModuleCard } from './module-card.tsx'
import { ModulePicker } from './module-picker.tsx'

type Props = { text: string; report: Report; change(text: string, how: How): void }

/** The query as a form: modules to choose, and their parameters to fill in. Both ways, its text is all there is. */
export function Builder({ text, report, change }: Props) {
  const root = useRef<HTMLElement>(null)
  const select = useRef<HTMLSelectElement>(null)
  const [said, say] = useState('')
  const chosen = readChosen(report, knowledge)
  const cards = readCards(text, report, knowledge)
  // Cards that do not change keep what they were given first, so that it must not hold an old text.
  const latest = useRef({ text, change })
  latest.current = { text, change }
  const apply = (how: How, write: (text: string) => Edit[]) => {
    const { text, change } = latest.current
    const edits = write(text)
    if (edits.length > 0) change(editQuery(text, edits), how)
  }
  const putInto = ({ name }: Field): Put => ({
    value: (value, how) => apply(how, text => setValue(text, name, value)),
    values: values => apply('done', text => setValues(text, name, values)),
  })

  // The card of pages may go with its last value, in which the focus is.
  const hadFocus = root.current?.contains(document.activeElement)
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body) select.current?.focus()
  })

  return (
    <section class="card builder" ref={root} aria-labelledby="builder-heading">
      <h2 id="builder-heading">Build a query</h2>
      <ModulePicker
        knowledge={knowledge}
        chosen={chosen}
        select={select}
        add={each => {
          say(`${each.module.name} is added below.`)
          apply('done', text => addModule(text, each, chosen))
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
            remove={chosen => {
              select.current?.focus()
              say(`${chosen.module.name} is removed.`)
              apply('done', text => removeModule(text, chosen))
            }}
          />
        ))}
      </div>
    </section>
  )
}
