// Refusals of the catalogue as problem documents (RFC 9457).
import type { NotFound } from './address.ts'
import type { QueryRefusal } from './filters.ts'

/** A problem document; `code` is stable, `suggestions` and `allowed` say what would be answered. */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  code: string
  suggestions?: string[]
  allowed?: string[]
}

/** Nothing answers at this path. */
export function problemOfPath({ missing, name, nearest, module }: NotFound): Problem {
  const thing = missing === 'path' ? 'Nothing in the catalogue is' : `There is no ${missing}`
  const where = missing === 'path' ? `at ${quote(name)}` : `${quote(name)}${module ? ` in ${module}` : ''}`
  const hint =
    nearest.length > 0 ? `The nearest names are ${nearest.join(', ')}.` : 'GET /catalogue lists what there is.'
  return {
    ...base(404, 'Not Found', missing === 'path' ? 'not-found' : `${missing}-not-found`),
    detail: `${thing} ${where}. ${hint}`,
    ...(missing !== 'path' || nearest.length > 0 ? { suggestions: nearest } : {}),
  }
}

/** The path answers, but not with this query string. */
export function problemOfQuery({ code, name, value, allowed }: QueryRefusal): Problem {
  const here = allowed.length > 0 ? `Allowed: ${allowed.join(', ')}.` : 'This path takes none.'
  const detail = {
    unknown: `There is no query parameter ${quote(name)} here.`,
    repeated: `The query parameter ${quote(name)} is given more than once; each may be given once.`,
    invalid: `The query parameter ${quote(name)} cannot be ${quote(value)}.`,
  }[code]
  return { ...base(400, 'Bad Request', `query-parameter-${code}`), detail: `${detail} ${here}`, allowed }
}

/** The path answers, but not to this method. */
export function problemOfMethod(method: string, allowed: string[]): Problem {
  return {
    ...base(405, 'Method Not Allowed', 'method-not-allowed'),
    detail: `The catalogue is read-only: ${method} is not among ${allowed.join(', ')}.`,
    allowed,
  }
}

function base(status: number, title: string, code: string) {
  return { type: 'about:blank', title, status, detail: '', code }
}

/** What the client sent, short enough to read. */
function quote(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)
}
