import type { DatabaseSync } from 'node:sqlite'
import { ahead, setAhead } from './date.cjs'
import { units } from './in-words.ts'

/** How far the clock may be ahead, in seconds: 4,000 days, with which a time of ten years fits. */
export const furthest = 4000 * units.d

/** Reads an advance, such as `25h`. @returns seconds; null for what is none */
export function secondsOf(text: unknown): number | null {
  const [, count, unit] = (typeof text === 'string' && /^(\d{1,7})([smhd])$/.exec(text)) || []
  return count === undefined ? null : Number(count) * units[unit as keyof typeof units]
}

/**
 * Opens the clock of a system: for this process, and for those that it starts. It is kept in the data directory, because
 * what lies there is dated by it.
 */
export function openClock(database: DatabaseSync) {
  database.exec('CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY CHECK (id = 1), ahead INTEGER NOT NULL)')
  const kept = database.prepare('SELECT ahead FROM clock').get()
  setAhead(Number(kept?.ahead ?? 0) * 1000)
  return {
    /** Seconds by which it is ahead of the machine's. */
    ahead: () => ahead() / 1000,
    set(seconds: number): void {
      database.prepare('INSERT OR REPLACE INTO clock (id, ahead) VALUES (1, ?)').run(seconds)
      setAhead(seconds * 1000)
    },
    /** Gives this process the machine's time again. */
    close: () => setAhead(0),
  }
}

export type Clock = ReturnType<typeof openClock>
