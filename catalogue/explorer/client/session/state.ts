// The state of the page, and its form in the address: `#q=<percent-encoded>&limits=<choice>`, without secrets.
import { type Limits, limitChoices } from '../../../validate/finding.ts'
import { encode } from '../../../validate/text/encoding.ts'
import { hideSecrets } from './secrets.ts'

/** The text in the editor: a query, or a whole URL. */
export type State = { text: string; limits: Limits }

export const emptyState: State = { text: '', limits: 'any' }

/** UTF-16 units: the API's own limit (64 KiB); browsers refuse addresses of a few megabytes. */
export const longestText = 64 * 1024

/** Reads any fragment, with or without its `#`, ignoring unreadable parts. */
export function readFragment(hash: string): State {
  // An escaped UTF-16 unit takes nine characters at most.
  if (hash.length > 9 * longestText + 100) return emptyState
  const fields = new URLSearchParams(hash.replace(/^#/, ''))
  const text = fields.get('q') ?? ''
  const limits = limitChoices.find(choice => choice === fields.get('limits')) ?? emptyState.limits
  return { text: text.length > longestText ? '' : text, limits }
}

/** Empty for an empty state. A text too long for an address is left out. */
export function toFragment({ text, limits }: State): string {
  const shown = text.length > longestText ? '' : hideSecrets(text.toWellFormed())
  return shown === '' && limits === emptyState.limits ? '' : `#q=${encode(shown)}&limits=${limits}`
}
