/**
 * Timeouts for code that is not ours. Password managers and other extensions replace the browser's functions, and their
 * promises may never settle.
 */

/** Milliseconds for a browser to answer without asking anybody, such as about a device's abilities, or to abort. */
export const promptly = 1000

/** Milliseconds beyond a request's own timeout: the browser has reported it before. */
export const leeway = 5000

/**
 * Waits for an answer, and ignores a later one.
 *
 * @throws the error of `ask` or of its promise; undefined after the timeout
 */
export const within = <T>(milliseconds: number, ask: () => T | PromiseLike<T>): Promise<Awaited<T>> =>
  Promise.race([
    (async () => await ask())(),
    new Promise<never>((_, fail) => {
      setTimeout(fail, milliseconds)
    }),
  ])
