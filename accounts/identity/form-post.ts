import { parseForm } from '../../shared/base/form.ts'

/** The parameters of a provider's answer that a page reads (RFC 6749 §4.1.2; RFC 9207). */
const parameters = ['code', 'state', 'iss', 'error']

/** A provider's answer by POST (OAuth 2.0 Form Post Response Mode), as the query of an address. Anything else is ignored. */
export function answerIn(body: Uint8Array): string {
  const form = parseForm(body)
  const answered = new URLSearchParams()
  for (const name of parameters) {
    const value = typeof form === 'string' ? undefined : form.get(name)
    if (value && /^[!-~]{1,2048}$/.test(value)) answered.set(name, value)
  }
  return String(answered)
}
