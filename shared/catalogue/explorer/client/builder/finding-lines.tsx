import type { Finding } from '../../../report.ts'

/** Findings that are told in one place; a query can have hundreds. */
const told = 3

/** What is wrong, beside what it is about. */
export function FindingLines({ findings }: { findings: readonly Finding[] }) {
  return (
    <>
      {findings.slice(0, told).map(({ severity, message }, at) => (
        <p key={at} class={`finding ${severity}`}>
          {message}
        </p>
      ))}
      {findings.length > told && <p class="note">And {findings.length - told} more, listed above.</p>}
    </>
  )
}
