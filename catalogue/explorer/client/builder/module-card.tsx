import { useMemo, useRef, useState } from 'preact/hooks'
import { modulePage } from '../../../addresses.ts'
import type { Finding } from '../../../report.ts'
import type { Chosen } from '../../../validate/knowledge.ts'
import { OnDemand } from './choices.tsx'
import { FieldRow, FindingLines } from './field-row.tsx'
import type { Card, Field, Put } from './fields.ts'

type Props = { card: Card; putInto(field: Field): Put; remove(chosen: Chosen): void }

/** A module with at most this many parameters shows them all. */
const few = 5

/** A longer list of unset parameters has a filter. */
const many = 8

/** A chosen module, memoised: typing in one card must not render fifty. */
export function ModuleCard(props: Props) {
  const { rules, findings, fields } = props.card
  const messages = (findings: readonly Finding[]) => findings.map(({ message }) => message)
  const shown = [rules, messages(findings), fields.map(({ value, findings }) => [value, ...messages(findings)])]
  return useMemo(() => <CardContent {...props} />, [JSON.stringify(shown)])
}

/** The required and the given parameters, and the others on demand. */
function CardContent({ card: { key, chosen, rules, findings, fields }, putInto, remove }: Props) {
  const [isExpanded, setExpanded] = useState(false)
  const front = useRef<string[]>([])
  // An emptied field stays in front, and moves there only while the others are hidden: no field moves while somebody edits it.
  if (!isExpanded) {
    const due = fields.filter(field => isInFront(field, fields.length <= few) && !front.current.includes(field.name))
    const ordered = [...due.filter(({ isNeeded }) => isNeeded), ...due.filter(({ isNeeded }) => !isNeeded)]
    front.current.push(...ordered.map(({ name }) => name))
  }
  const first = front.current.flatMap(name => fields.find(field => field.name === name) ?? [])
  const others = fields.filter(({ name }) => !front.current.includes(name))
  const rowOf = (field: Field) => <FieldRow key={field.name} field={field} put={putInto(field)} />
  const id = `card-${key.replace(' ', '-')}`

  return (
    <section class="module" aria-labelledby={id}>
      <div class="tools">
        <h3 id={id}>
          {chosen ? (
            <>
              <code>{chosen.role}</code> <a href={modulePage(chosen.module.path)}>{chosen.module.name}</a>
            </>
          ) : (
            'Pages'
          )}
        </h3>
        {chosen && (
          <button type="button" class="link" onClick={() => remove(chosen)}>
            Remove<span class="unseen"> {key}</span>
          </button>
        )}
      </div>
      {rules.length > 0 && <p class="note">{rules.join(' ')}</p>}
      <FindingLines findings={findings} />
      {first.map(rowOf)}
      {others.length > 0 && (
        <OnDemand
          title={`${first.length > 0 ? 'More parameters' : 'Parameters'} (${others.length})`}
          isOpen={isExpanded}
          toggle={setExpanded}
          filterName={others.length > many ? `Filter the parameters of ${key}` : undefined}
        >
          {filter => others.filter(({ name }) => name.includes(filter)).map(rowOf)}
        </OnDemand>
      )}
    </section>
  )
}

const isInFront = ({ isNeeded, value, findings }: Field, isAlways: boolean): boolean =>
  isAlways || isNeeded || value !== null || findings.length > 0
