import type { Context } from 'aws-lambda'

/** What Lambda calls: an event and its context in, an answer out. */
export type Handler<E, R> = (event: E, context: Context) => Promise<R>

/**
 * Binds a function to Lambda: its parts of the outside world are made when the first event comes, and kept for as long
 * as the environment lives. A part that the function is granted and not given does not compile.
 */
export function lambda<D, E, R>(bind: (deps: D) => Handler<E, R>, parts: () => NoInfer<D>): Handler<E, R> {
  let handler: Handler<E, R> | undefined
  return (event, context) => {
    handler ??= bind(parts())
    return handler(event, context)
  }
}
