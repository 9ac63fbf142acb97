/** Milliseconds between two reports: on a terminal, and in a log that keeps every line. */
const intervals = { terminal: 500, log: 10_000 }

/** Tells on stderr how far long work has come, so that stdout holds results alone. */
export class Progress {
  readonly #tell: () => string
  readonly #isTerminal = process.stderr.isTTY
  readonly #timer: NodeJS.Timeout
  #shown = false

  /** @param tell how far it has come, in a line */
  constructor(tell: () => string) {
    this.#tell = tell
    this.#timer = setInterval(() => this.#show(), this.#isTerminal ? intervals.terminal : intervals.log)
  }

  /** A line that stays. */
  note(text: string): void {
    this.#clear()
    process.stderr.write(`${text}\n`)
  }

  end(): void {
    clearInterval(this.#timer)
    this.#clear()
  }

  #show(): void {
    this.#clear()
    process.stderr.write(this.#isTerminal ? this.#tell() : `${this.#tell()}\n`)
    this.#shown = this.#isTerminal
  }

  #clear(): void {
    // Back to the beginning of the line, and erase it (ECMA-48 §8.3.41, EL).
    if (this.#shown) process.stderr.write('\r\x1b[K')
    this.#shown = false
  }
}
