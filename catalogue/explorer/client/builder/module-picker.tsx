import type { Ref } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Chosen, Knowledge, Role } from '../../../validate/knowledge.ts'
import { listedPurposes } from '../purposes.ts'

const groups: Record<Role, string> = {
  list: 'list: make a list',
  prop: 'prop: say something of each page',
  generator: 'generator: find the pages for prop',
  meta: 'meta: tell about the wiki or you',
}
const roles = Object.keys(groups) as Role[]

type Props = {
  knowledge: Knowledge
  chosen: readonly Chosen[]
  select: Ref<HTMLSelectElement>
  add(chosen: Chosen): void
}

/** All modules by role. A button adds the selected one, because arrow keys pass through others. */
export function ModulePicker({ knowledge, chosen, select, add }: Props) {
  const [picked, setPicked] = useState('')
  const modules = [...knowledge.modules.values()]
  const isChosen = (name: string, role: Role) => chosen.some(other => other.module.name === name && other.role === role)

  const submit = (event: Event) => {
    event.preventDefault()
    const [role, name = ''] = picked.split(' ') as [Role, string?]
    const module = knowledge.modules.get(name)
    if (!module || isChosen(name, role)) return
    add({ module, role })
    setPicked('')
  }

  // About a hundred options: they change only with the chosen modules.
  const options = useMemo(
    () =>
      roles.map(role => (
        <optgroup key={role} label={groups[role]}>
          {modules
            .filter(({ group, generator }) => (role === 'generator' ? generator : group === role))
            .map(({ name, deprecated }) => (
              <option key={name} value={`${role} ${name}`} disabled={isChosen(name, role)}>
                {name}
                {deprecated && ' (deprecated)'}: {listedPurposes().get(name)}
              </option>
            ))}
        </optgroup>
      )),
    [chosen.map(({ module, role }) => role + module.name).join()],
  )

  return (
    <form class="tools" onSubmit={submit}>
      <label for="module">Ask for</label>
      <select id="module" ref={select} value={picked} onChange={event => setPicked(event.currentTarget.value)}>
        <option value="">a module…</option>
        {options}
      </select>
      <button class="plain" type="submit">
        Add
      </button>
    </form>
  )
}
