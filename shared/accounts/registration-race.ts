/**
 * The race between register and the mail worker. Register queues a registration's message before it writes the account,
 * and the worker mails only once the account is there. So the message may come too early, and wait for its account; and
 * it is dropped when register can no longer write one.
 */

/** Seconds that the queue keeps the message back: about what register's write takes, so that few come too early. */
export const headStart = 2

/**
 * Milliseconds after it was queued for which a message waits for its account. Register is stopped after 10 s at most;
 * the rest is for clocks that differ and for writes that were already on their way.
 */
export const longestWait = 60_000

/** Milliseconds after it was queued until which register may well be at work: its own 10 s, and some. */
const atWork = 15_000

/**
 * Seconds until a message that came too early is tried again. Once register is over the waits are longer, so that the
 * worker gives the message up before the queue's ten tries make a dead letter of it.
 *
 * @param age of the message since it was queued, in milliseconds
 */
export const nextTry = (age: number): number => (age < atWork ? 5 : 15)
