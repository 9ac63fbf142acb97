import type { Finding } from '../../../report.ts'
import { isSensitive } from '../../../validate/text/pairs.ts'
import { Chips } from './chips.tsx'
import { Choices } from './choices.tsx'
import type { Field, Put } from './fields.ts'
import { Single } from './single.tsx'

/** A field with its name, its control, its findings and its hints. */
export function FieldRow({ field, put }: { field: Field; put: Put }) {
  const { name, parameter, findings, reference } = field
  const hints = field.hints()
  const { type, multi, required, deprecated } = parameter
  const id = `field-${name}`
  const isWrong = findings.some(({ severity }) => severity === 'error')
  const described = { id, 'aria-describedby': `${id}-notes`, 'aria-invalid': isWrong }
  const isGroup = multi && type === 'enum'
  const Control = isGroup ? Choices : multi ? Chips : Single
  const label = (
    <>
      <code>{name}</code>
      {required && <span class="badge required">required</span>}
      {deprecated && <span class="badge deprecated">deprecated</span>}
      {isSensitive(name) && <span class="badge deprecated">secret</span>}
    </>
  )
  return (
    <div class="field">
      <div class="name">
        {isGroup ? <span id={`${id}-label`}>{label}</span> : <label for={id}>{label}</label>}
        {reference && (
          <a class="note" href={reference}>
            about<span class="unseen"> {name}</span>
          </a>
        )}
      </div>
      <div class="value">
        <Control field={field} put={put} described={described} />
        <div id={`${id}-notes`}>
          <FindingLines findings={findings} />
          {hints.length > 0 && <p class="note">{hints.join(' ')}</p>}
        </div>
      </div>
    </div>
  )
}

/** Maximum findings shown; a query can have hundreds. */
const mostFindings = 3

/** The findings about a field or a module, shown beside it. */
export function FindingLines({ findings }: { findings: readonly Finding[] }) {
  return (
    <>
      {findings.slice(0, mostFindings).map(({ severity, message }, at) => (
        <p key={at} class={`finding ${severity}`}>
          {message}
        </p>
      ))}
      {findings.length > mostFindings && <p class="note">And {findings.length - mostFindings} more, listed above.</p>}
    </>
  )
}
