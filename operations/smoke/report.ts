/** Why a check cannot be made here, which is no failure. */
export class Skipped extends Error {
  override name = 'Skipped'
}

/** What a check found in place of what it expects. */
export class Unexpected extends Error {
  override name = 'Unexpected'

  /** @param advice what an operator should look at */
  constructor(expected: string, received: string, advice = '') {
    super(`expected ${expected}, got ${received}${advice && `. ${advice}`}`)
  }
}

/** A line for each check, as it is made. */
export class Report {
  readonly counts = { ok: 0, failed: 0, skipped: 0 }
  readonly #write: (line: string) => void

  constructor(write: (line: string) => void) {
    this.#write = write
  }

  /** Makes a check: `examine` throws what is wrong. @returns what it found, or null */
  async check<T>(rule: string, examine: () => Promise<T>): Promise<T | null> {
    try {
      const found = await examine()
      this.counts.ok += 1
      this.#write(`ok    ${rule}`)
      return found
    } catch (error) {
      const isSkipped = error instanceof Skipped
      this.counts[isSkipped ? 'skipped' : 'failed'] += 1
      this.#write(`${isSkipped ? 'skip ' : 'FAIL '} ${rule}: ${inOneLine(error)}`)
      return null
    }
  }
}

/** A failed fetch hides its reason in its cause. */
function inOneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${error.message}${cause}`.replaceAll(/\s+/g, ' ')
}

/** @throws {Unexpected} when the two are not the same */
export function expectSame(what: string, received: unknown, expected: unknown, advice = ''): void {
  if (received !== expected) throw new Unexpected(`${what} ${expected}`, `${received ?? 'none'}`, advice)
}

/** @throws {Unexpected} when the text is not there, or of another form */
export function expectMatch(what: string, received: string | null | undefined, form: RegExp, advice = ''): void {
  if (!form.test(received ?? '')) throw new Unexpected(`${what} like ${form.source}`, received ?? 'none', advice)
}
