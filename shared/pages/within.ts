/**
 * The ends of waits for what is not ours. Password managers and other extensions put functions of their own in the place of the
 * browser's, and a promise of theirs may never settle.
 */

/** Milliseconds in which a browser answers what asks nobody, such as whether a device can do something, or ends what was aborted. */
export const promptly = 1000

/** Milliseconds beyond a request's own time-out: by then the browser has said that it is over. */
export const leeway = 5000

/**
 * Waits for an answer. One that comes later changes nothing.
 *
 * @throws what `ask` throws or its promise rejects with; undefined once the time is over
 */
export const within = <T>(milliseconds: number, ask: () => T | PromiseLike<T>): Promise<Awaited<T>> =>
  Promise.race([
    (async () => await ask())(),
    new Promise<never>((_, fail) => {
      setTimeout(fail, milliseconds)
    }),
  ])
