// The words for severities and counts.
import type { Report } from '../../../shared/catalogue/report.ts'
import { type Severity, severities } from '../../../shared/catalogue/validate/rules.ts'

export const severityNames: Record<Severity, string> = { error: 'Error', warning: 'Warning', notice: 'Notice' }

/** Shown beside the words. */
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
