import { useRef, useState } from 'preact/hooks'
import { addTyped, splitTyped } from './changes.ts'
import type { ControlProps, Field } from './fields.ts'

/** Several values, each a chip. Enter, or leaving the field, turns the text into another chip. */
export function Chips({ field, put, described }: ControlProps) {
  const { name, parameter, values } = field
  const wrong = wrongValues(field)
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)

  const add = () => {
    if (text === '') return
    put.values(addTyped(values, text, parameter))
    setText('')
  }
  const press = (event: KeyboardEvent) => {
    // Ctrl or Cmd with Enter also corrects the query, which must contain the value first.
    if (event.key === 'Enter') {
      if (!event.ctrlKey && !event.metaKey) event.preventDefault()
      add()
    }
    if (event.key === 'Backspace' && text === '' && values.length > 0) put.values(values.slice(0, -1))
  }
  // The field would join the lines of a table or a list.
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? ''
    if (splitTyped(pasted, parameter).length < 2) return
    event.preventDefault()
    put.values(addTyped(values, pasted, parameter))
  }

  return (
    <div class="chips">
      <ChipList
        field={field}
        values={values}
        notes={described['aria-describedby']}
        change={put.values}
        focusNext={() => input.current?.focus()}
      />
      <div class="tools">
        <input
          type="text"
          {...described}
          // A wrong chip is marked itself: the text in the field is another value.
          aria-invalid={described['aria-invalid'] && !values.some(value => wrong.has(value))}
          ref={input}
          value={text}
          placeholder={values.length === 0 ? String(parameter.default ?? '').replaceAll('|', ', ') : ''}
          inputMode={parameter.type === 'int' ? 'numeric' : 'text'}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={event => setText(event.currentTarget.value)}
          onKeyDown={press}
          onPaste={paste}
          onBlur={add}
        />
        <button type="button" class="plain" onClick={add}>
          Add<span class="unseen"> a value to {name}</span>
        </button>
      </div>
    </div>
  )
}

const wrongValues = ({ findings }: Field): Set<string> =>
  new Set(findings.flatMap(({ severity, value }) => (severity === 'error' ? (value ?? []) : [])))

type ListProps = {
  field: Field
  values: readonly string[]
  /** The id of the field's notes. */
  notes: string
  change(values: string[]): void
  /** Focuses the element after the chips. */
  focusNext(): void
}

/** Nobody reads more, and thousands would keep the browser busy for seconds. */
const mostChips = 100

/** Values as buttons: a click, Backspace or Delete removes one, and the focus moves to the next. */
export function ChipList({ field, values, notes, change, focusNext }: ListProps) {
  const list = useRef<HTMLUListElement>(null)
  if (values.length === 0) return null
  const wrong = wrongValues(field)

  const remove = (at: number) => {
    // Later values move up into this button: only the last button disappears, and loses the focus.
    if (at === values.length - 1) {
      const before = list.current?.querySelectorAll('button')[at - 1]
      if (before) before.focus()
      else focusNext()
    }
    change(values.filter((_, index) => index !== at))
  }

  return (
    <ul ref={list} aria-label={`Values of ${field.name}`}>
      {values.slice(0, mostChips).map((value, at) => (
        <li key={at}>
          <button
            type="button"
            class={`chip ${wrong.has(value) ? 'wrong' : ''}`}
            aria-describedby={wrong.has(value) ? notes : undefined}
            onClick={() => remove(at)}
            onKeyDown={({ key }) => (key === 'Backspace' || key === 'Delete') && remove(at)}
          >
            <span class="unseen">Remove </span>
            {value === '' ? <i>empty</i> : value}
            <span aria-hidden="true"> ×</span>
          </button>
        </li>
      ))}
      {values.length > mostChips && <li class="note">and {values.length - mostChips} more, in the query above</li>}
    </ul>
  )
}
