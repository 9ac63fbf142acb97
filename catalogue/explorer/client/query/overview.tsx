import { bareName, modulePage } from '../../../addresses.ts'
import type { Report } from '../../../report.ts'
import { pageSets, type Role } from '../../../validate/knowledge.ts'
import { list } from '../../../validate/rule-texts/phrases.ts'
import { countsOf } from './findings.tsx'

const roles: Record<Role, string> = {
  generator: 'finds the pages',
  prop: 'says something of each page',
  list: 'makes a list',
  meta: 'tells about the wiki or you',
}

/** What a query asks of its pages without a module. */
const ofPages = (unchecked: Report['unchecked']): string[] => [
  'Whether there are such, and the ids',
  ...unchecked.flatMap(({ name }) => pageWords[name] ?? []),
]
const pageWords: Record<string, string> = {
  redirects: 'where redirects lead',
  converttitles: 'the titles in other scripts',
  export: 'an export',
}

/** What the query asks for, and its unchecked values. */
export function Overview({ report }: { report: Report }) {
  const { counts, modules, unchecked } = report
  const pages = modules.length === 0 && unchecked.some(({ name }) => pageSets.some(set => set === name.toLowerCase()))
  const isGood = counts.error + counts.warning === 0 && (modules.length > 0 || pages)
  return (
    <section class={`overview ${isGood ? 'good' : ''}`} aria-labelledby="overview-heading">
      <h2 id="overview-heading">{isGood ? countsOf(report) : 'What it asks for'}</h2>
      {modules.length === 0 && (
        <p class="note">
          {pages ? `${list(ofPages(unchecked))} of the pages that it names.` : 'Nothing yet: it names no module.'}
        </p>
      )}
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
