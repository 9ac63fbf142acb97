import { setImmediate as immediately, setTimeout as wait } from 'node:timers/promises'

/** Milliseconds that a request waits while the system is at rest, as long as a gateway waits for a function. */
const patience = 30_000

/** Milliseconds in which the queues are emptied before the clock moves. */
const emptying = 10_000

/** Milliseconds between two looks at the queues. */
const look = 20

interface QueueParts {
  /** Messages that a poller will take, now or after a delay. */
  waiting(): number
  endDelays(): void
}

/** What may pass, and what waits until it opens again. */
class Gate {
  #opening: PromiseWithResolvers<void> | null = null

  close(): void {
    this.#opening ??= Promise.withResolvers()
  }

  open(): void {
    this.#opening?.resolve()
    this.#opening = null
  }

  /** Waits until it is open. */
  async opened(): Promise<void> {
    while (this.#opening) await this.#opening.promise
  }
}

/**
 * Changes what is below a running system while nothing in it runs: requests wait, what runs ends, and pollers take
 * nothing.
 */
export class Rest {
  readonly #entry = new Gate()
  readonly #polling = new Gate()
  readonly #running = new Set<Promise<unknown>>()
  #last: Promise<unknown> = Promise.resolve()
  #era = 0

  /** Waits while the system is at rest. @returns whether it goes on in time */
  enter(): Promise<boolean> {
    const late = new AbortController()
    const opened = this.#entry.opened().then(() => true)
    const tooLate = wait(patience, false, { ref: false, signal: late.signal }).catch(() => false)
    return Promise.race([opened, tooLate]).finally(() => late.abort())
  }

  /** Counts a piece of work that has to end first. */
  runs<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    const end = () => this.#running.delete(work)
    work.then(end, end)
    return work
  }

  /** Waits until pollers may go on. @returns whether what they hold is still theirs */
  async mayPoll(): Promise<boolean> {
    const era = this.#era
    await this.#polling.opened()
    return this.#era === era
  }

  /** What pollers hold is theirs no more. */
  drop(): void {
    this.#era += 1
  }

  /**
   * Makes one change at a time.
   *
   * @param queues lets the worker empty them first
   */
  change<T>(make: () => Promise<T>, queues?: QueueParts): Promise<T> {
    const changed = this.#last.then(async () => {
      this.#entry.close()
      try {
        await this.#ended()
        if (queues) await this.#empty(queues)
        this.#polling.close()
        await this.#ended()
        return await make()
      } finally {
        this.#polling.open()
        this.#entry.open()
      }
    })
    this.#last = changed.catch(() => {})
    return changed
  }

  async #ended(): Promise<void> {
    // Whoever has just passed a gate gets to where it is counted.
    await immediately()
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  /** What is put back then keeps its place, and gets older. */
  async #empty({ waiting, endDelays }: QueueParts): Promise<void> {
    for (const until = performance.now() + emptying; performance.now() < until; await wait(look)) {
      endDelays()
      await this.#ended()
      if (waiting() === 0) return
    }
  }
}
