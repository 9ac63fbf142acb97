import type { Task } from './explore.ts'
import type { SessionServers } from './session-servers.ts'
import type { SessionWorld } from './session-world.ts'

/** A thief who copies the token at some time, and uses the copy. */
export class SessionThief {
  token: string | null = null
  hasUsed = false
  uses: number
  readonly #name: string
  readonly #world: SessionWorld
  readonly #servers: SessionServers

  constructor(name: string, uses: number, world: SessionWorld, servers: SessionServers) {
    this.#name = name
    this.uses = uses
    this.#world = world
    this.#servers = servers
  }

  /** @param stored the token to copy @param at the end of the names of requests sent now */
  tasks(stored: string | null, running: readonly string[], at: string): Task[] {
    const isBusy = running.some(task => task.startsWith(this.#name))
    return [
      ...(this.token === null && stored !== null ? [this.#copy(stored)] : []),
      ...(this.token !== null && this.uses > 0 && !isBusy ? [this.#use(this.token, at)] : []),
    ]
  }

  #copy(stored: string): Task {
    return {
      name: `${this.#name} copies`,
      run: async () => {
        this.token = stored
        this.#world.history.holds(this.#name, stored)
      },
    }
  }

  #use(token: string, at: string): Task {
    const name = `${this.#name} refreshes${at}`
    return {
      name,
      run: async step => {
        this.uses -= 1
        this.hasUsed = true
        const exchange = this.#servers.send(this.#name, token)
        await this.#servers.refresh(exchange, step, name)
        if (exchange.answer && 'token' in exchange.answer) this.token = exchange.answer.token
      },
    }
  }
}
