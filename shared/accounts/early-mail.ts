/**
 * Mails about a write that is still to come. Register, and whatever tells an owner what happened to their account,
 * queue the mail before they write: so no such write goes unmailed. The worker mails only once it sees the write. Until
 * then the message is early and waits, and it is dropped when the write can no longer come.
 */

/** Seconds that the queue keeps the message back: about what the write takes, so that few messages are early. */
export const queueDelay = 2

/**
 * Milliseconds after it was queued for which a message waits for its write. A request is stopped after 20 s at most;
 * the rest is for clocks that differ and for writes that were already on their way.
 */
export const maxWait = 60_000

/** Milliseconds after it was queued until which most requests may well be at work: 10 s, and some. */
const atWork = 15_000

/**
 * Seconds until an early message is tried again. Once the request is over the waits are longer, so that the worker
 * gives the message up before the queue's ten tries make a dead letter of it.
 *
 * @param age of the message since it was queued, in milliseconds
 */
export const retryDelay = (age: number): number => (age < atWork ? 5 : 15)
