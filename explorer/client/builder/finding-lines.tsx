import type { Finding } from '../../../shared/catalogue/report.ts'

/** How many findings are shown; a query can have hundreds. */
const mostFindings = 3

/** The findings about a field or a module, shown beside it. */
export function FindingLines({ findings }: { findings: readonly Finding[] }) {
  return (
    <>
      {findings.slice(0, mostFindings).map(({ severity, message }, at) => (
        <p key={at} class={`finding ${severity}`}>
          {message}
        </p>
      ))}
      {findings.length > mostFindings && <p class="note">And {findings.length - mostFindings} more, listed above.</p>}
    </>
  )
}
