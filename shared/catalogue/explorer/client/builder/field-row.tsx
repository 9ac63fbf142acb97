import { isSensitive } from '../../../validate/text/pairs.ts'
import type { How } from '../query/history.ts'
import { Chips } from './chips.tsx'
import { Choices } from './choices.tsx'
import type { Field } from './fields.ts'

export type Put = {
  value(value: string | null, how: How): void
  values(values: readonly string[]): void
}

/** What a control needs to be understood where it has the focus. */
export type Described = { id: string; 'aria-describedby': string; 'aria-invalid': boolean }

/** Findings that are told at one field; a query can have hundreds. */
const told = 3

/** A field with its name, what there is to know of it, and what is wrong with it. */
export function FieldRow({ field, put }: { field: Field; put: Put }) {
  const { name, parameter, findings, reference } = field
  const hints = field.hints()
  const { type, multi, required, deprecated } = parameter
  const id = `field-${name}`
  const isWrong = findings.some(({ severity }) => severity === 'error')
  const described = { id, 'aria-describedby': `${id}-notes`, 'aria-invalid': isWrong }
  const isGroup = multi && type === 'enum'
  const label = (
    <>
      <code>{name}</code>
      {required && <span class="badge required">required</span>}
      {deprecated && <span class="badge deprecated">deprecated</span>}
      {isSensitive(name) && <span class="badge deprecated">secret</span>}
    </>
  )
  return (
    <div class={`field ${isWrong ? 'wrong' : ''}`}>
      <div class="name">
        {isGroup ? <span id={`${id}-label`}>{label}</span> : <label for={id}>{label}</label>}
        {reference && (
          <a class="note" href={reference}>
            about<span class="unseen"> {name}</span>
          </a>
        )}
      </div>
      <div>
        {isGroup ? (
          <Choices field={field} put={put} described={described} />
        ) : multi ? (
          <Chips field={field} put={put} described={described} />
        ) : (
          <Single field={field} put={put} described={described} />
        )}
        <div id={`${id}-notes`}>
          {findings.slice(0, told).map(({ severity, message }, at) => (
            <p key={at} class={`finding ${severity}`}>
              {message}
            </p>
          ))}
          {findings.length > told && <p class="note">And {findings.length - told} more, listed above.</p>}
          {hints.length > 0 && <p class="note">{hints.join(' ')}</p>}
        </div>
      </div>
    </div>
  )
}

type Props = { field: Field; put: Put; described: Described }

function Single({ field, put, described }: Props) {
  const { parameter, value } = field
  if (parameter.type === 'bool') {
    return (
      <input
        type="checkbox"
        {...described}
        checked={value !== null}
        // Whatever its value, a flag holds where it stands.
        onChange={event => put.value(event.currentTarget.checked ? '1' : null, 'done')}
      />
    )
  }
  return parameter.type === 'enum' ? (
    <Choice field={field} put={put} described={described} />
  ) : (
    <Text field={field} put={put} described={described} />
  )
}

function Choice({ field: { parameter, value }, put, described }: Props) {
  const { values = new Set<string>(), default: usual, deprecated_values = [] } = parameter
  return (
    <select {...described} value={value ?? ''} onChange={event => put.value(event.currentTarget.value || null, 'done')}>
      <option value="">{usual === undefined ? 'not given' : `not given (default: ${usual || 'empty'})`}</option>
      {value && !values.has(value) && <option value={value}>{value} (no such value)</option>}
      {[...values].filter(Boolean).map(each => (
        <option key={each} value={each}>
          {each}
          {deprecated_values.includes(each) && ' (deprecated)'}
        </option>
      ))}
    </select>
  )
}

const numbers = new Set(['int', 'ns', 'limit'])

function Text({ field: { parameter, value }, put, described }: Props) {
  const { type, default: usual } = parameter
  return (
    <div class="tools">
      <input
        type="text"
        {...described}
        value={value ?? ''}
        placeholder={usual === undefined ? '' : String(usual)}
        // With letters, for max.
        inputMode={numbers.has(type) && type !== 'limit' ? 'numeric' : 'text'}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={event => put.value(event.currentTarget.value || null, 'typed')}
      />
      {type === 'limit' && (
        <button type="button" class="plain" onClick={() => put.value('max', 'done')}>
          max
        </button>
      )}
    </div>
  )
}
