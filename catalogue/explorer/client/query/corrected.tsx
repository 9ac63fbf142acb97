import type { ComponentChildren } from 'preact'
import type { Finding, Report } from '../../../report.ts'
import { editQuery } from '../../../validate/text/edits.ts'
import type { CorrectedQuery } from '../session/check.ts'
import { changedSpans, mostChanges, summarize } from '../session/correct.ts'
import { mark } from './underlines.ts'

type Props = {
  /** `undefined` while the first correction runs; `false` if no fix is certain. */
  corrected: CorrectedQuery | undefined | false
  /** Whether it belongs to the previous query, while the present one's runs. */
  isOld: boolean
  hasFindings: boolean
  apply(): void
  choose: Choose
}

/** Replaces the query. */
type Choose = (text: string) => void

const modifierKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** The corrected query, the changes, and the remaining decisions. */
export function Corrected({ corrected, isOld, hasFindings, apply, choose }: Props) {
  return (
    <section class="corrected" aria-labelledby="corrected-heading" aria-busy={isOld}>
      <h2 id="corrected-heading">Corrected query</h2>
      {corrected ? (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: where it scrolls, it must do so by keyboard */}
          <pre tabIndex={0}>{markChanges(corrected)}</pre>
          <div class="tools">
            <button type="button" onClick={apply}>
              Use it
            </button>
            <span class="note keys">
              <kbd>{modifierKey}</kbd> <kbd>Enter</kbd>
            </span>
          </div>
          <Changes corrected={corrected} choose={choose} />
        </>
      ) : (
        <p class="note">
          {corrected === undefined
            ? 'Correcting…'
            : hasFindings
              ? 'No fix is certain: choose what you mean.'
              : 'Nothing to correct.'}
        </p>
      )}
    </section>
  )
}

function Changes({ corrected: { correction, after }, choose }: { corrected: CorrectedQuery; choose: Choose }) {
  const { text, changes } = correction
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
      {leftIn(after).length > 0 && (
        <>
          <h3>What is left for you</h3>
          <ul>
            {leftIn(after).map(({ message, suggestions }, at) => (
              <li key={at}>
                {message}{' '}
                {suggestions.map(({ label, edits }) => (
                  <button key={label} type="button" class="link" onClick={() => choose(editQuery(text, edits))}>
                    {label}
                  </button>
                ))}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** The decisions left to a person. */
const leftIn = ({ findings }: Report): Finding[] => findings.filter(({ severity }) => severity !== 'notice')

/** Maximum marked parts: nobody reads more, and each is an element. */
const mostMarked = 500

/** UTF-16 units. A longer text has thousands of pairs, and each possible break costs the browser time. */
const longestBroken = 4000

/** The corrected text, with new and remaining parts marked. Lines break between pairs where possible. */
function markChanges({ of, correction: { text }, after }: CorrectedQuery): ComponentChildren[] {
  const changed = changedSpans(of.text, text).slice(0, mostMarked)
  const isBroken = text.length <= longestBroken
  return mark(text, leftIn(after), changed).flatMap(({ text, severity, isChanged }, at) => {
    const breakable = (part: string, nth: number) => (part === '&' ? [part, <wbr key={`${at} ${nth}`} />] : part)
    const parts = isBroken ? text.split(/(&)/).flatMap(breakable) : text
    return severity || isChanged ? (
      <mark key={at} class={severity}>
        {parts}
      </mark>
    ) : (
      parts
    )
  })
}
