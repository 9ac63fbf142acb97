/**
 * Explores a concurrent system completely: every order in which its tasks can take their steps, and every way in which
 * each step can end.
 *
 * Tasks are ordinary async functions that have all their effects through `step`. A run follows a list of choices; where
 * the list ends the first choice is taken, and the others are put aside for later runs. A run that comes to a state
 * that occurred before (the world's, and everything that each task has seen) stops: it would continue in the same way.
 */
export interface System {
  /** The state of the outside world, as text. */
  state(): string
  /** The tasks that can start now. @param running names of the tasks under way, without crashed ones */
  startable(running: readonly string[]): Task[]
  /** Throws when a rule is broken. Called in each state; `isOver` when nothing is left to do. */
  check(isOver: boolean): void
}

export interface Task {
  name: string
  run(step: Step): Promise<void>
}

/**
 * Has one effect, or fails in one of these ways: the effect happens twice, because its first answer was lost; `refuse`
 * throws instead; or the process dies before or after it.
 */
export type Step = <T>(name: string, effect: () => T, refuse?: () => never) => Promise<T>

type Ending = 'done' | 'done twice' | 'refused' | 'crashed before' | 'crashed after'

interface Exploration {
  /** How often a step may fail in one run. */
  faults: number
}

/** How many different states and runs there were. */
interface Extent {
  states: number
  runs: number
}

export async function explore(createSystem: () => System, { faults }: Exploration): Promise<Extent> {
  const seen = new Set<string>()
  const frontier: number[][] = [[]]
  let runs = 0
  for (let choices = frontier.pop(); choices !== undefined; choices = frontier.pop()) {
    runs += 1
    const run = new Run(createSystem(), faults)
    try {
      await run.follow(choices, seen, frontier)
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : error}\nafter\n${run.path.join('\n')}`, {
        cause: error,
      })
    }
  }
  return { states: seen.size, runs }
}

interface Waiting {
  label: string
  endings: readonly Ending[]
  end(ending: Ending): void
}

class Run {
  readonly path: string[] = []
  readonly #system: System
  #faults: number
  #started = 0
  /** What the tasks that are under way have seen. */
  readonly #histories = new Map<string, { task: string; seen: string[] }>()
  readonly #waiting = new Set<Waiting>()
  /** How many tasks are between two steps, and what is called when there is none. */
  #busy = 0
  #whenIdle = () => {}

  constructor(system: System, faults: number) {
    this.#system = system
    this.#faults = faults
  }

  async follow(choices: readonly number[], seen: Set<string>, frontier: number[][]): Promise<void> {
    const taken: number[] = []
    for (;;) {
      await this.#idle()
      this.#system.check(false)
      const options = this.#options()
      if (options.length === 0) return this.#system.check(true)
      if (taken.length >= choices.length) {
        const state = JSON.stringify([
          this.#system.state(),
          this.#faults,
          [...this.#histories.values()].map(h => JSON.stringify(h)).sort(),
        ])
        if (seen.has(state)) return
        seen.add(state)
        for (let other = 1; other < options.length; other++) frontier.push([...taken, other])
      }
      const choice = choices[taken.length] ?? 0
      taken.push(choice)
      options[choice]?.()
    }
  }

  #options(): (() => void)[] {
    const ends = [...this.#waiting].flatMap(waiting =>
      waiting.endings
        .filter(ending => ending === 'done' || this.#faults > 0)
        .map(ending => () => {
          this.#waiting.delete(waiting)
          this.path.push(`${waiting.label}: ${ending}`)
          if (ending !== 'done') this.#faults -= 1
          waiting.end(ending)
        }),
    )
    return [
      ...ends,
      ...this.#system
        .startable([...this.#histories.values()].map(({ task }) => task))
        .map(task => () => void this.#start(task)),
    ]
  }

  async #start(task: Task): Promise<void> {
    const id = `${task.name} (${this.#started++})`
    const history: string[] = []
    this.path.push(`${id}: started`)
    this.#histories.set(id, { task: task.name, seen: history })
    this.#busy += 1
    const step: Step = (name, effect, refuse) =>
      new Promise((resolve, reject) => {
        const end = (ending: Ending) => {
          history.push(`${name}: ${ending}`)
          if (ending === 'crashed after') effect()
          if (ending.startsWith('crashed')) return void this.#histories.delete(id)
          this.#busy += 1
          try {
            if (ending === 'done twice') effect()
            const result = ending === 'refused' ? refuse?.() : effect()
            history.push(JSON.stringify(result) ?? '')
            resolve(result as never)
          } catch (error) {
            reject(error)
          }
        }
        const endings: Ending[] = [
          'done',
          ...(refuse ? (['done twice', 'refused'] as const) : []),
          'crashed before',
          'crashed after',
        ]
        this.#waiting.add({ label: `${id}, ${name}`, endings, end })
        this.#rest()
      })
    await task.run(step).catch(() => {})
    this.#histories.delete(id)
    this.#rest()
  }

  #rest(): void {
    this.#busy -= 1
    if (this.#busy === 0) this.#whenIdle()
  }

  async #idle(): Promise<void> {
    if (this.#busy > 0) await new Promise<void>(resolve => (this.#whenIdle = resolve))
  }
}
