import type { SlowRequest, Wait } from './system.ts'

/**
 * The waits of requests. Lambda gives an execution environment one event at a time, so there is one set of times. A
 * part beside the bundle has a copy of its own, which is unused: its caller measures.
 */

/** Milliseconds from which a request is slow: twice a login, half of which is a hash at cost 12. */
const slow = 1000

/** Nanoseconds by kind of wait. */
let waited: Partial<Record<Wait, bigint>> = {}

/** `performance` would load six modules at each cold start. */
const now = (): bigint => process.hrtime.bigint()

const milliseconds = (nanoseconds: bigint): number => Number(nanoseconds / 1_000_000n)

/** Measures a wait. Parallel calls count each. */
export async function timed<T>(wait: Wait, call: () => Promise<T>): Promise<T> {
  const began = now()
  try {
    return await call()
  } finally {
    waited[wait] = (waited[wait] ?? 0n) + now() - began
  }
}

/** Measures the calls of a client, with their retries and backoff. */
export function timedClient<C extends { send(...sent: never[]): Promise<unknown> }>(wait: Wait, client: C): C {
  const send: (...sent: never[]) => Promise<unknown> = client.send.bind(client)
  return Object.assign(client, { send: (...sent: never[]) => timed(wait, () => send(...sent)) })
}

/** Handles an event. Logs its waits if it takes more than a second. */
export async function reportSlow<R>(handle: () => Promise<R>): Promise<R> {
  waited = {}
  const began = now()
  try {
    return await handle()
  } finally {
    const all = milliseconds(now() - began)
    const times = Object.entries(waited).map(([wait, time]) => [wait, milliseconds(time)])
    if (all > slow)
      console.info({ event: 'slow', milliseconds: all, ...Object.fromEntries(times) } satisfies SlowRequest)
  }
}
