import type { ComponentChildren } from 'preact'
import type { Report } from '../../../shared/catalogue/report.ts'
import type { CorrectedQuery } from '../session/check.ts'
import { type Change, changedSpans, mostChanges, summarize } from '../session/correct.ts'

type Props = {
  /** `undefined` while the first correction is under way. */
  corrected: CorrectedQuery | undefined
  /** Whether it is of the query before, while that of the present one is under way. */
  isOld: boolean
  apply(): void
}

const modifierKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** The corrected query, what changed, and what a person must decide. */
export function Corrected({ corrected, isOld, apply }: Props) {
  return (
    <section class="card corrected" aria-labelledby="corrected-heading" aria-busy={isOld}>
      <h2 id="corrected-heading">Corrected query</h2>
      {corrected ? (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: where it scrolls, it must do so by keyboard */}
          <pre tabIndex={0}>{markChanges(corrected.of.text, corrected.correction.text)}</pre>
          <div class="tools">
            <button type="button" onClick={apply}>
              Use it
            </button>
            <span class="note">
              <kbd>{modifierKey}</kbd> <kbd>Enter</kbd>
            </span>
          </div>
          <Changes changes={corrected.correction.changes} after={corrected.after} />
        </>
      ) : (
        <p class="note">Correcting…</p>
      )}
    </section>
  )
}

function Changes({ changes, after: { findings } }: { changes: readonly Change[]; after: Report }) {
  const left = findings.filter(({ severity, suggestions }) => severity !== 'notice' && suggestions.length === 0)
  return (
    <>
      <h3>Fixes taken</h3>
      <ol class="changes">
        {summarize(changes).map(({ name, label }, at) => (
          <li key={at}>
            <code>{name}</code>: {label}
          </li>
        ))}
      </ol>
      {changes.length === mostChanges && <p>There is more to correct: use this, and it follows.</p>}
      {left.length > 0 && (
        <>
          <h3>What is left for you</h3>
          <ul>
            {left.map(({ message }, at) => (
              <li key={at}>{message}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** The corrected text, with its new parts marked. Lines can break between pairs. */
function markChanges(before: string, after: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  const add = (text: string) => {
    for (const pair of text.split(/(&)/)) parts.push(pair, pair === '&' ? <wbr key={parts.length} /> : null)
  }
  let at = 0
  for (const [start, end] of changedSpans(before, after)) {
    add(after.slice(at, start))
    parts.push(<mark key={parts.length}>{after.slice(start, end)}</mark>)
    at = end
  }
  add(after.slice(at))
  return parts
}
