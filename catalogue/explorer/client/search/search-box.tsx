import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isModified } from '../modifiers.ts'
import { focusOnSlash } from './focus-on-slash.ts'
import type { Results, Row } from './results.ts'

const listId = 'search-results'
const optionId = (position: number): string => `search-result-${position}`
const none: ReadonlySet<object> = new Set()

/** The data of a search. */
export type Search = {
  label: string
  /** Called when the field is focused, before anything is typed. It may load the search. */
  prepare(): unknown
  /** @param opened entries that show all their places */
  find(text: string, opened: ReadonlySet<object>): Results
  /** The message that nothing was found. */
  sayNothing(text: string): string
  /** A link for when nothing was found. */
  elsewhere?: { href: string; says: string }
}

/**
 * A search over everything: an editable combobox whose list follows the typed text (ARIA Authoring Practices). Results
 * are links, so that they can be opened in another tab.
 */
export function SearchBox({ search }: { search: Search }) {
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(none)
  const [isOpen, setOpen] = useState(false)
  /** The selected option; -1 while the arrow keys move in the text. */
  const [active, setActive] = useState(-1)
  /** `undefined` until loaded, `false` after a failure. */
  const [isReady, setReady] = useState<boolean | undefined>(undefined)
  const prepare = async () => {
    try {
      await search.prepare()
      setReady(true)
    } catch {
      setReady(false)
    }
  }
  const results = useMemo(() => search.find(text, opened), [search, text, opened, isReady])
  const count = results.rows.length
  const isExpanded = isOpen && count > 0
  /** An Enter pressed before the search was loaded. */
  const wanted = useRef<KeyboardEvent | null>(null)
  const answer = count === 0 ? search.sayNothing(text.trim()) : sayHowMany(results)
  const trouble = isReady === undefined ? 'One moment…' : 'The search could not be loaded: load the page again.'

  useLayoutEffect(() => focusOnSlash(field), [])
  useLayoutEffect(() => list.current?.scrollTo(0, 0), [text])
  useLayoutEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active])

  useLayoutEffect(() => {
    if (isReady && wanted.current) press(wanted.current)
  }, [isReady])

  const open = () => setOpen(text.trim() !== '')
  const write = (written: string) => {
    wanted.current = null
    setText(written)
    setOpened(none)
    setActive(-1)
    setOpen(written.trim() !== '')
  }
  const step = (by: 1 | -1) => {
    open()
    // From the text, one step selects the first or the last option.
    const next = active === -1 && by === -1 ? count - 1 : active + by
    setActive(count === 0 ? -1 : (next + count) % count)
  }
  const press = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event
    // With them Enter opens another tab or window, like a click on a link.
    if (event.isComposing || altKey || (key !== 'Enter' && isModified(event))) return
    if (key === 'ArrowDown') step(1)
    else if (key === 'ArrowUp') step(-1)
    else if (key === 'Escape' && isOpen) close()
    else if (key === 'Escape') write('')
    else if (key === 'Enter' && isExpanded) {
      const click = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey })
      list.current?.children[Math.max(active, 0)]?.dispatchEvent(click)
    } else if (key === 'Enter') {
      open()
      wanted.current = isReady ? null : event
    } else return textKeys.includes(key) && setActive(-1)
    event.preventDefault()
  }
  const close = () => {
    setOpen(false)
    setActive(-1)
  }

  return (
    <div class="search" onFocusOut={close}>
      <input
        ref={field}
        class="search-field"
        type="text"
        role="combobox"
        aria-label={search.label}
        aria-autocomplete="list"
        aria-expanded={isExpanded}
        aria-controls={listId}
        aria-activedescendant={isExpanded && active >= 0 ? optionId(active) : undefined}
        aria-keyshortcuts="/"
        placeholder="Search"
        autocomplete="off"
        autocapitalize="none"
        enterkeyhint="go"
        spellcheck={false}
        value={text}
        onFocus={prepare}
        onInput={event => write(event.currentTarget.value)}
        onClick={open}
        onKeyDown={press}
      />
      <span class="search-key" aria-hidden="true">
        <kbd>/</kbd>
      </span>
      <div class={`search-frame ${isOpen ? 'open' : ''}`}>
        <div ref={list} id={listId} role="listbox" aria-label="Results" hidden={!isExpanded}>
          {results.rows.map((row, position) => (
            <Option
              key={optionId(position)}
              row={row}
              id={optionId(position)}
              isActive={position === active}
              onGo={close}
              onOpen={() => setOpened(new Set([...opened, row.match.entry]))}
            />
          ))}
        </div>
        <p class="search-status" role="status">
          {isOpen && (isReady ? answer : trouble)}
        </p>
        {isOpen && isReady && count === 0 && search.elsewhere && (
          <a class="search-absent" href={search.elsewhere.href} onMouseDown={event => event.preventDefault()}>
            {search.elsewhere.says}
          </a>
        )}
      </div>
    </div>
  )
}

/** Keys that return the arrow keys to the text. */
const textKeys = ['ArrowLeft', 'ArrowRight', 'Home', 'End']

function sayHowMany({ total, shown }: Results): string {
  if (shown < total) return `${shown} of ${total} results; type more to see fewer.`
  return total === 1 ? '1 result' : `${total} results`
}

type Props = { row: Row; id: string; isActive: boolean; onGo: () => void; onOpen: () => void }

/** A result, or a button for more. Pressing it leaves the focus in the field. */
function Option({ row: { match, why, href, says }, id, isActive, onGo, onOpen }: Props) {
  const shared = {
    id,
    role: 'option',
    'aria-selected': isActive,
    tabIndex: -1,
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
  } as const
  if (href === undefined) {
    return (
      <button {...shared} type="button" class="search-more" onClick={onOpen}>
        {why}
      </button>
    )
  }
  const go = ({ ctrlKey, metaKey, shiftKey }: MouseEvent) => ctrlKey || metaKey || shiftKey || onGo()
  return (
    <a {...shared} href={href} onClick={go}>
      <code>
        <Marked {...match} />
      </code>{' '}
      <span class="note">{why}</span>
      {says && <span class="search-says">{says}</span>}
    </a>
  )
}

function Marked({ text, marks }: Row['match']) {
  const starts = [0, ...marks.map(([, end]) => end)]
  return starts.map((start, position) => {
    const [from, to] = marks[position] ?? [text.length, text.length]
    return [text.slice(start, from), from < to && <mark key={from}>{text.slice(from, to)}</mark>]
  })
}
