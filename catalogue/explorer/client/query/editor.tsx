import type { RefObject } from 'preact'
import type { Finding } from '../../../report.ts'
import type { Limits } from '../../../validate/finding.ts'
import { catalogue } from '../knowledge.ts'
import type { State } from '../session/state.ts'
import { underline } from './underlines.ts'

const { limit, values } = catalogue

/** The number of values per request, by kind of account. */
const accounts: Record<Limits, string> = {
  any: 'any account',
  normal: `most: ${limit.normal} results, ${values.normal} values`,
  high: `bots, admins: ${limit.high} results, ${values.high} values`,
}

type Props = {
  state: State
  /** The findings of the present text. */
  findings: readonly Finding[]
  field: RefObject<HTMLTextAreaElement | null>
  status: string
  /** @param isLetter a single letter, not a pasted text */
  type(text: string, isLetter: boolean): void
  leave(): void
  choose(limits: Limits): void
  clear(): void
  /** Null without anything to undo. */
  undo: (() => void) | null
}

/** A text area over a copy of its text, which underlines the findings. */
export function Editor({ state: { text, limits }, findings, field, status, type, leave, choose, clear, undo }: Props) {
  return (
    <section class="editor" aria-labelledby="query-heading">
      <div class="tools">
        <h2 id="query-heading">
          <label for="query">Check a query</label>
        </h2>
        <span class="tools">
          {undo && (
            <button type="button" class="link" onClick={undo}>
              Undo
            </button>
          )}
          {text !== '' && (
            <button type="button" class="link" onClick={clear}>
              Clear
            </button>
          )}
        </span>
      </div>
      <div class="text">
        <pre aria-hidden="true">
          {underline(text, findings).map(({ text, severity }) =>
            severity ? <mark class={severity}>{text}</mark> : text,
          )}
          {/* Without it, a line feed at the end of the text would not begin a line here. Elsewhere each letter would move it. */}
          {text.endsWith('\n') && '\u200b'}
        </pre>
        <textarea
          id="query"
          ref={field}
          value={text}
          placeholder="Paste a query or a whole URL"
          rows={3}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="query-status"
          aria-invalid={findings.some(({ severity }) => severity === 'error')}
          onInput={event => type(event.currentTarget.value, isLetter(event))}
          onBlur={leave}
        />
      </div>
      <p id="query-status" class="note">
        {status}
      </p>
      <label class="limits">
        Check for{' '}
        <select value={limits} onChange={event => choose(event.currentTarget.value as Limits)}>
          {(['any', 'normal', 'high'] as const).map(choice => (
            <option key={choice} value={choice}>
              {accounts[choice]}
            </option>
          ))}
        </select>
      </label>
    </section>
  )
}

/** A letter typed or deleted; pasted or filled-in text is none. */
const isLetter = (event: Event): boolean =>
  event instanceof InputEvent && (event.data?.length === 1 || event.inputType.startsWith('deleteContent'))

/** The mark at `start` in the copy of the text. */
export function markAt(field: HTMLTextAreaElement, start: number): Element | undefined {
  let at = 0
  for (const node of field.previousElementSibling?.childNodes ?? []) {
    if (at === start && node instanceof Element) return node
    at += node.textContent?.length ?? 0
  }
  return undefined
}
