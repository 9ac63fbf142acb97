import type { Match } from './rank.ts'
import type { Row } from './rows.ts'

type Props = { row: Row; id: string; isActive: boolean; onGo: () => void; onOpen: () => void }

/** A result, or a button for more results. Pressing it leaves the focus in the field. */
export function Option({ row: { match, why, href }, id, isActive, onGo, onOpen }: Props) {
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
    </a>
  )
}

/** The text, with the typed letters marked. */
function Marked({ text, marks }: Pick<Match, 'text' | 'marks'>) {
  const starts = [0, ...marks.map(([, end]) => end)]
  return starts.map((start, position) => {
    const [from, to] = marks[position] ?? [text.length, text.length]
    return [text.slice(start, from), from < to && <mark key={from}>{text.slice(from, to)}</mark>]
  })
}
