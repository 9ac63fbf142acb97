import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { isModified } from '../modifiers.ts'

type Props<Name extends string> = {
  label: string
  /** Each tab's label by its name, in order. */
  tabs: Record<Name, string>
  current: Name
  choose(name: Name): void
  /** Prefix of the elements' ids. */
  id: string
  children: ComponentChildren
}

/** Tabs. A focused tab shows its panel at once (ARIA Authoring Practices, "Tabs"). */
export function Tabs<Name extends string>({ label, tabs, current, choose, id, children }: Props<Name>) {
  const list = useRef<HTMLDivElement>(null)
  const names = Object.keys(tabs) as Name[]

  const press = (event: KeyboardEvent) => {
    if (isModified(event)) return
    const at = names.indexOf(current)
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
    const next = steps[event.key]
    const name = next === undefined ? undefined : names.at(next % names.length)
    if (next === undefined || name === undefined) return
    event.preventDefault()
    choose(name)
    list.current?.querySelectorAll('button')[names.indexOf(name)]?.focus()
  }

  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={press}>
        {names.map(name => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => choose(name)}
          >
            {tabs[name]}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: nothing in it takes the focus, and it may scroll */}
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`} tabIndex={0}>
        {children}
      </div>
    </>
  )
}
