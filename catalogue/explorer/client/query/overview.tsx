import { bareName, modulePage } from '../../../addresses.ts'
import type { Report } from '../../../report.ts'
import type { Role } from '../../../validate/knowledge.ts'
import { countsOf } from './findings.tsx'

const roles: Record<Role, string> = {
  generator: 'finds the pages',
  prop: 'says something of each page',
  list: 'makes a list',
  meta: 'tells about the wiki or you',
}

/** What the query asks for, and its unchecked values. */
export function Overview({ report }: { report: Report }) {
  const { counts, modules, unchecked } = report
  const isGood = counts.error + counts.warning === 0 && modules.length > 0
  return (
    <section class={`overview ${isGood ? 'good' : ''}`} aria-labelledby="overview-heading">
      <h2 id="overview-heading">{isGood ? countsOf(report) : 'What it asks for'}</h2>
      {modules.length === 0 && <p class="note">Nothing yet: it names no module.</p>}
      {modules.length > 0 && (
        <ul class="overview-modules">
          {modules.map(({ path, role }) => (
            <li key={`${role} ${path}`}>
              <a href={modulePage(path)}>{bareName(path)}</a> {roles[role]} <code class="badge">{role}</code>
            </li>
          ))}
        </ul>
      )}
      {unchecked.length > 0 && (
        <details>
          <summary>Not checked: {unchecked.length === 1 ? 'one value' : `${unchecked.length} values`}</summary>
          <ul>
            {unchecked.map(({ name, reason }) => (
              <li key={name}>
                <code>{name}</code> {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
