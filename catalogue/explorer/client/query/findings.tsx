import type { Ref } from 'preact'
import { bareName, fragment, modulePage } from '../../../addresses.ts'
import type { Edit, Finding, Report } from '../../../report.ts'
import { type RuleName, type Severity, severities } from '../../../validate/rules.ts'

export const severityNames: Record<Severity, string> = { error: 'Error', warning: 'Warning', notice: 'Notice' }

const signs: Record<Severity, string> = { error: '✕', warning: '!', notice: 'i' }

/** `1 error, 2 warnings`. */
export function countsOf({ counts }: Report): string {
  const parts = severities.flatMap(severity => {
    const count = counts[severity]
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`]
  })
  if (counts.error === 0) parts.unshift('No errors found')
  return parts.join(', ')
}

/** About a text that is no query: nothing can be added to it. */
const isOfText = (rule: RuleName): boolean => rule === 'unread-code' || rule === 'not-a-query'

type Props = {
  report: Report
  current: Finding | undefined
  list: Ref<HTMLOListElement>
  /** @param index of the finding */
  applyFix(edits: readonly Edit[], index: number, event: MouseEvent): void
  show(finding: Finding): void
  /** Adds an absent name, and puts the caret at its value. */
  addMissing(name: string): void
}

/** The findings in the order of the query, each with its fixes. */
export function Findings({
  report: { findings, counts, truncated },
  current,
  list,
  applyFix,
  show,
  addMissing,
}: Props) {
  if (findings.length === 0) return <p class="findings note">Nothing to mend so far.</p>
  const all = counts.error + counts.warning + counts.notice
  return (
    <section class="findings" aria-labelledby="findings-heading">
      <h2 id="findings-heading" class="unseen">
        What was found
      </h2>
      <ol ref={list}>
        {findings.map((finding, index) => {
          const { rule, severity, name, module, parameter, message, span, suggestions } = finding
          return (
            <li key={index} class={`card ${severity}`} aria-current={finding === current}>
              <p>
                <strong class="severity">
                  <span aria-hidden="true">{signs[severity]}</span> {severityNames[severity]}
                </strong>{' '}
                <code>{name}</code>
                {module && (
                  <a class="note" href={modulePage(module) + (parameter ? fragment(parameter) : '')}>
                    {bareName(module) + (parameter ? ` › ${parameter}` : '')}
                  </a>
                )}
              </p>
              <p>{message}</p>
              <div class="tools">
                {suggestions.map(({ label, edits }, position) => (
                  <button
                    key={label}
                    type="button"
                    class={position === 0 ? 'fix first' : 'fix plain'}
                    onClick={event => applyFix(edits, index, event)}
                  >
                    {label}
                  </button>
                ))}
                {span ? (
                  <button type="button" class="link" onClick={() => show(finding)}>
                    Show<span class="unseen"> {name} in the query</span>
                  </button>
                ) : (
                  !isOfText(rule) && (
                    <button type="button" class="fix plain" onClick={() => addMissing(name)}>
                      Add {name}=
                    </button>
                  )
                )}
              </div>
            </li>
          )
        })}
      </ol>
      {truncated && (
        <p>
          The first {findings.length} of {all} are listed: mend these, and the others follow.
        </p>
      )}
    </section>
  )
}
