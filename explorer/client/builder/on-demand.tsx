import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

type Props = {
  title: string
  isOpen: boolean
  toggle(isOpen: boolean): void
  /** Names the field that filters; without it there is none. */
  filterName: string | undefined
  /** @param filter in lower case */
  children(filter: string): ComponentChildren
}

/** What is long: it is drawn where it is open, and can be filtered. */
export function OnDemand({ title, isOpen, toggle, filterName, children }: Props) {
  const [filter, setFilter] = useState('')
  return (
    <details open={isOpen} onToggle={event => toggle(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && (
        <>
          {filterName && (
            <input
              type="text"
              class="filter"
              aria-label={filterName}
              placeholder="Filter"
              value={filter}
              onInput={event => setFilter(event.currentTarget.value)}
            />
          )}
          {children(filter.toLowerCase())}
        </>
      )}
    </details>
  )
}
