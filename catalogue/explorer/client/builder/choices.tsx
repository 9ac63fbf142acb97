import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { selectsAll } from '../../../validate/checks/several-values.ts'
import { ChipList } from './chips.tsx'
import type { ControlProps } from './fields.ts'

/** A longer list opens on demand, with its chosen values as chips. */
const shownAtOnce = 12

export function Choices({ field, put, described }: ControlProps) {
  const { name, parameter, values } = field
  const [isOpen, setOpen] = useState(false)
  const group = useRef<HTMLFieldSetElement>(null)
  const all = [...(parameter.all_specifier ? [selectsAll] : []), ...(parameter.values ?? [])]
  const isLong = all.length > shownAtOnce

  const toggle = (value: string) => {
    if (values.includes(value)) put.values(values.filter(each => each !== value))
    else put.values(value === selectsAll ? [value] : [...values.filter(each => each !== selectsAll), value])
  }
  // A short list shows chips for unknown values only, which have no box to untick.
  const chips = isLong ? values : values.filter(value => !all.includes(value))
  const change = (left: string[]) =>
    put.values(isLong ? left : values.filter(value => all.includes(value)).concat(left))

  const boxes = (filter = '') => (
    <div class="boxes">
      {all
        .filter(value => value.toLowerCase().includes(filter))
        .map(value => (
          <label key={value} class="chip">
            <input type="checkbox" checked={values.includes(value)} onChange={() => toggle(value)} />{' '}
            {value === selectsAll ? 'all (*)' : value === '' ? <i>empty</i> : value}
            {parameter.deprecated_values?.includes(value) && <span class="badge deprecated">deprecated</span>}
          </label>
        ))}
    </div>
  )
  return (
    <fieldset
      ref={group}
      id={described.id}
      aria-labelledby={`${described.id}-label`}
      aria-describedby={described['aria-describedby']}
    >
      <div class="chips">
        <ChipList
          field={field}
          values={chips}
          notes={described['aria-describedby']}
          change={change}
          focusNext={() => group.current?.querySelector<HTMLElement>('summary, input')?.focus()}
        />
      </div>
      {isLong ? (
        <OnDemand
          title={`Choose from ${all.length} values`}
          isOpen={isOpen}
          toggle={setOpen}
          filterName={`Filter the values of ${name}`}
        >
          {boxes}
        </OnDemand>
      ) : (
        boxes()
      )}
    </fieldset>
  )
}

type Props = {
  title: string
  isOpen: boolean
  toggle(isOpen: boolean): void
  /** The label of the filter field; without it there is none. */
  filterName: string | undefined
  /** @param filter in lower case */
  children(filter: string): ComponentChildren
}

/** A long list with a filter, rendered only while open. */
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
