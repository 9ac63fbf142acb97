import type { Checked } from './check.ts'
import { changedSpans, summarize } from './correct.ts'

type Props = { checked: Checked; take(): void }

const key = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** The query without what can be mended, what was done for it, and what is left to the person. */
export function Corrected({ checked: { of, correction, after }, take }: Props) {
  const { text, changes, isDone } = correction
  const left = after?.findings.filter(({ severity }) => severity !== 'notice') ?? []
  return (
    <section class="card corrected" aria-labelledby="corrected-heading">
      <h2 id="corrected-heading">Corrected query</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: where it scrolls, it must do so by keyboard */}
      <pre tabIndex={0}>{marked(of.text, text)}</pre>
      <div class="tools">
        <button type="button" onClick={take}>
          Use it
        </button>
        <span class="note">
          <kbd>{key}</kbd> <kbd>Enter</kbd>
        </span>
        {!isDone && <span class="note">Correcting…</span>}
      </div>
      <h3>What changed</h3>
      <ol class="changes">
        {summarize(changes).map(({ name, label }, at) => (
          <li key={at}>{says(label, name) ? label : [<code key="name">{name}</code>, `: ${label}`]}</li>
        ))}
      </ol>
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
    </section>
  )
}

/** The corrected text, with what is new in it marked. */
function marked(before: string, after: string) {
  let at = 0
  const parts = changedSpans(before, after).flatMap(([start, end]) => {
    const plain = after.slice(at, start)
    at = end
    return [...breakable(plain), <mark key={start}>{after.slice(start, end)}</mark>]
  })
  return [...parts, ...breakable(after.slice(at))]
}

/** Breaks lines between pairs, where it can. */
function breakable(text: string) {
  return text.split(/(?<=&)/).flatMap(part => [part, <wbr key={part} />])
}

/** Whether a label says which name it is about. */
function says(label: string, name: string) {
  return label === `Remove ${name}` || label.startsWith(`Write ${name}=`)
}
