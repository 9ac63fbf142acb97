// How the page names what the report counts.
import type { Report } from '../../../report.ts'
import { type Severity, severities } from '../../../validate/rules.ts'

export const severityNames: Record<Severity, string> = { error: 'Error', warning: 'Warning', notice: 'Notice' }

/** Beside the words, for the eye. */
export const signs: Record<Severity, string> = { error: '✕', warning: '!', notice: 'i' }

/** `1 error, 2 warnings`. */
export function countsOf({ counts }: Report): string {
  const parts = severities.flatMap(severity => {
    const count = counts[severity]
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`]
  })
  if (counts.error === 0) parts.unshift('No errors found')
  return parts.join(', ')
}
