/**
 * Explores a concurrent system completely: every order of its tasks' steps, and every outcome of each step.
 *
 * Tasks are ordinary async functions with all their effects in `step`. A run repeats the moments that lead to its
 * beginning, then continues, each time with the first choice, while the others are put aside for later runs. A run
 * stops at a known state (the world's, and everything that each task has seen): it would continue in the same way.
 *
 * Three arguments spare runs, and lose no state:
 * - Runs with fewer faults come first. So a state first occurs with as many faults left as ever, together with
 *   everything that can follow it: the number left is not part of a state.
 * - A task sees what its steps return or throw, and not whether they happened twice.
 * - A crash's result is known before it happens: the world before or after the step, without the task. A step that
 *   leaves the world unchanged has the same effect once or twice.
 */
export interface System {
  /** The state of the outside world, as text. */
  state(): string
  /** The time, where tasks read it between steps: part of what they see. */
  now?(): number
  /** The tasks that can start now. @param running names of the tasks under way, without crashed ones */
  startable(running: readonly string[]): Task[]
  /** Records values for later comparisons by invariants. Called in each state, each time that a run reaches it. */
  observe?(): void
  /** Throws for a broken invariant. Called in each state, for each way to it; `isOver` when nothing is left to do. */
  check(isOver: boolean): void
}

export interface Task {
  name: string
  /** What it reads of the world without a step at its start, such as the time. */
  knows?: unknown
  run(step: Step): Promise<void>
}

/**
 * Performs one effect, or fails in one of these ways: the effect happens twice, because its first answer was lost;
 * `refuse` throws instead; or the process dies before or after it.
 */
export type Step = <T>(name: string, effect: () => T, refuse?: () => never) => Promise<T>

type Ending = 'done' | 'done twice' | 'refused' | 'crashed before' | 'crashed after'

interface Exploration {
  /** How often a step may fail in one run. */
  faults: number
}

/** The number of states and runs. */
interface Extent {
  states: number
  runs: number
}

/** One choice of a run: a task starts, or a step ends. */
interface Moment {
  before: Moment | null
  /** The position of the start or end, among all possible ones. */
  which: number
  ending: Ending | 'started'
  label: string
  /** How many faults there have been. */
  faults: number
  /** The world in which it happens. */
  world: number
  /** The resulting state, if known in advance. */
  leaves?: string
  /** What the task has seen after it, once it has happened. */
  seen?: number
}

export async function explore(createSystem: () => System, { faults }: Exploration): Promise<Extent> {
  const explored = new Explored(faults)
  let runs = 0
  for (let moment = explored.next(); moment !== undefined; moment = explored.next()) {
    runs += 1
    const run = new Run(createSystem(), explored)
    try {
      await run.follow(moment)
    } catch (error) {
      const path = pathTo(run.last).map(({ label, ending }) => `${label}: ${ending}`)
      throw new Error(`${error instanceof Error ? error.message : error}\nafter\n${path.join('\n')}`, { cause: error })
    }
  }
  return { states: explored.states.size, runs }
}

function pathTo(moment: Moment | null): Moment[] {
  const path: Moment[] = []
  for (let each = moment; each !== null; each = each.before) path.push(each)
  return path.reverse()
}

/** Shared by all runs. */
class Explored {
  readonly states = new Set<string>()
  /** Postponed moments by their faults; null is the beginning. */
  readonly #frontier: (Moment | null)[][]
  readonly #ids = new Map<string, number>()

  constructor(faults: number) {
    this.#frontier = Array.from({ length: faults + 1 }, (_, i) => (i === 0 ? [null] : []))
  }

  /** A number that stands for a text. */
  idOf(text: string): number {
    const id = this.#ids.get(text) ?? this.#ids.size
    if (id === this.#ids.size) this.#ids.set(text, id)
    return id
  }

  putAside(moment: Moment): void {
    if (!this.#isKnown(moment)) this.#frontier[moment.faults]?.push(moment)
  }

  /** Whether another fault may happen. */
  mayFail(faults: number): boolean {
    return faults + 1 < this.#frontier.length
  }

  next(): Moment | null | undefined {
    for (const moments of this.#frontier) {
      for (let moment = moments.pop(); moment !== undefined; moment = moments.pop())
        if (moment === null || !this.#isKnown(moment)) return moment
    }
    return undefined
  }

  #isKnown({ leaves }: Moment): boolean {
    return leaves !== undefined && this.states.has(leaves)
  }
}

interface Running {
  task: string
  id: string
  /** The id of what it has seen. */
  seen: number
}

interface Waiting {
  running: Running
  name: string
  canBeRefused: boolean
  end(moment: Moment): void
}

class Run {
  /** What has happened last. */
  last: Moment | null = null
  readonly #system: System
  readonly #explored: Explored
  #started = 0
  /** The tasks that are under way. */
  readonly #running = new Set<Running>()
  readonly #waiting: Waiting[] = []
  /** The number of tasks between two steps, and the callback at zero. */
  #busy = 0
  #whenIdle = () => {}

  constructor(system: System, explored: Explored) {
    this.#system = system
    this.#explored = explored
  }

  async follow(end: Moment | null): Promise<void> {
    this.#system.observe?.()
    for (const moment of pathTo(end)) await this.#take(moment)
    for (let next = this.#choose(); next !== null; next = this.#choose()) await this.#take(next)
  }

  async #take(moment: Moment): Promise<void> {
    this.last = moment
    if (moment.ending === 'started') {
      const task = this.#system.startable(this.#names())[moment.which]
      if (task) void this.#start(task)
    } else this.#waiting.splice(moment.which, 1)[0]?.end(moment)
    if (this.#busy > 0) await new Promise<void>(resolve => (this.#whenIdle = resolve))
    this.#system.observe?.()
  }

  /** Checks a new state, and postpones the alternatives. @returns the next moment; null in a known state */
  #choose(): Moment | null {
    this.#system.check(false)
    const world = this.#explored.idOf(this.#system.state())
    const state = this.#stateOf(world)
    if (this.#explored.states.has(state)) return null
    this.#explored.states.add(state)
    const starts = this.#system.startable(this.#names())
    const faults = this.last?.faults ?? 0
    const of = (which: number, label: string, ending: Moment['ending']): Moment => ({
      ...{ before: this.last, which, ending, label, world },
      faults: ending === 'done' || ending === 'started' ? faults : faults + 1,
    })
    const choices = [
      ...this.#waiting.map((waiting, i) => of(i, labelOf(waiting), 'done')),
      ...starts.map(({ name }, i) => of(i, name, 'started')),
    ]
    if (this.#explored.mayFail(faults)) {
      for (const [i, waiting] of this.#waiting.entries()) {
        const label = labelOf(waiting)
        if (waiting.canBeRefused) this.#explored.putAside(of(i, label, 'refused'))
        const leaves = this.#stateOf(world, waiting.running)
        this.#explored.putAside({ ...of(i, label, 'crashed before'), leaves })
      }
    }
    const [first = null, ...others] = choices
    if (first === null) this.#system.check(true)
    for (const other of others) this.#explored.putAside(other)
    return first
  }

  #names(): string[] {
    return Array.from(this.#running, ({ task }) => task)
  }

  /** @param gone a task that has crashed */
  #stateOf(world: number, gone?: Running): string {
    const seen: number[] = []
    for (const running of this.#running) if (running !== gone) seen.push(running.seen)
    return `${world}: ${seen.sort((one, other) => one - other)}`
  }

  /** Postpones the other failures of a step that has had its effect, now that this is known. */
  #putFailuresAside({ running, canBeRefused }: Waiting, moment: Moment): void {
    if (!this.#explored.mayFail(moment.faults)) return
    const faults = moment.faults + 1
    this.#system.observe?.()
    const world = this.#explored.idOf(this.#system.state())
    this.#explored.putAside({ ...moment, faults, ending: 'crashed after', leaves: this.#stateOf(world, running) })
    if (canBeRefused && world !== moment.world) this.#explored.putAside({ ...moment, faults, ending: 'done twice' })
  }

  async #start(task: Task): Promise<void> {
    const { name, knows } = task
    const seen = this.#explored.idOf(`${name} knows ${JSON.stringify(knows)} at ${this.#system.now?.()}`)
    const running: Running = { task: name, id: `${name} (${this.#started++})`, seen }
    this.#running.add(running)
    this.#busy += 1
    const step: Step = (name, effect, refuse) =>
      new Promise((resolve, reject) => {
        const sees = (moment: Moment, what: () => string | undefined) => {
          moment.seen ??= this.#explored.idOf(`${running.seen} ${name}: ${what()} at ${this.#system.now?.()}`)
          running.seen = moment.seen
        }
        // An effect that throws breaks an invariant: no task is told.
        const end = (moment: Moment) => {
          const { ending } = moment
          if (ending === 'crashed after' || ending === 'done twice') effect()
          if (ending.startsWith('crashed')) return void this.#running.delete(running)
          this.#busy += 1
          if (ending === 'refused') {
            sees(moment, () => ending)
            return reject(thrownBy(refuse))
          }
          const result = effect()
          if (ending === 'done' && moment.seen === undefined) this.#putFailuresAside(waiting, moment)
          sees(moment, () => JSON.stringify(result))
          resolve(result)
        }
        const waiting: Waiting = { running, name, canBeRefused: refuse !== undefined, end }
        this.#waiting.push(waiting)
        this.#rest()
      })
    await task.run(step).catch(() => {})
    this.#running.delete(running)
    this.#rest()
  }

  #rest(): void {
    this.#busy -= 1
    if (this.#busy === 0) this.#whenIdle()
  }
}

const labelOf = ({ running, name }: Waiting): string => `${running.id}, ${name}`

function thrownBy(refuse: (() => never) | undefined): unknown {
  try {
    return refuse?.()
  } catch (error) {
    return error
  }
}
