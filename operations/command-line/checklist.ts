/** A check cannot run here, which is not a failure. */
export class Skipped extends Error {
  override name = 'Skipped'
}

/** A check failed its expectation. */
export class Unexpected extends Error {
  override name = 'Unexpected'

  /** @param advice for the operator */
  constructor(expected: string, received: string, advice = '') {
    super(`expected ${expected}, got ${received}${advice && `. ${advice}`}`)
  }
}

interface Result {
  rule: string
  result: 'ok' | 'failed' | 'skipped'
  /** Why it failed or was skipped. */
  reason?: string
}

const marks = { ok: 'ok   ', failed: 'FAIL ', skipped: 'skip ' }

/** Prints a line for each check as it ends. */
export class Checklist {
  readonly counts = { ok: 0, failed: 0, skipped: 0 }
  readonly results: Result[] = []
  readonly #write: (line: string) => void

  constructor(write: (line: string) => void) {
    this.#write = write
  }

  /** Runs a check. `examine` throws on a failure. @returns the result of `examine`, or null */
  async check<T>(rule: string, examine: () => Promise<T>): Promise<T | null> {
    try {
      const result = await examine()
      this.#add({ rule, result: 'ok' })
      return result
    } catch (error) {
      this.#add({ rule, result: error instanceof Skipped ? 'skipped' : 'failed', reason: messageOf(error) })
      return null
    }
  }

  #add(added: Result): void {
    this.results.push(added)
    this.counts[added.result] += 1
    this.#write(`${marks[added.result]} ${added.rule}${added.reason === undefined ? '' : `: ${added.reason}`}`)
  }
}

/** A message in one line. A failed fetch has its reason in the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${error.message}${cause}`.replaceAll(/\s+/g, ' ')
}

/** @throws {Unexpected} when they differ */
export function expectSame(what: string, received: unknown, expected: unknown, advice = ''): void {
  if (received !== expected) throw new Unexpected(`${what} ${expected}`, `${received ?? 'none'}`, advice)
}

/** @throws {Unexpected} when the text is missing, or has another form */
export function expectMatch(what: string, received: string | null | undefined, form: RegExp, advice = ''): void {
  if (!form.test(received ?? '')) throw new Unexpected(`${what} like ${form.source}`, received ?? 'none', advice)
}
