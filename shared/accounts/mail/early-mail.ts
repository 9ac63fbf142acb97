/**
 * Mails about a write that has not happened yet. Registrations and notices put their message on the queue before they
 * write, so that no write goes without its mail. The worker mails only after it sees the write. Until then the message
 * is early and waits; when the write can no longer happen, the worker drops the message.
 */

/** Seconds for which the queue holds the message back: about as long as the write takes, so that few are early. */
export const queueDelay = 2

/**
 * Milliseconds from queueing for which a message waits for its write. A request runs for 20 s at most; the rest allows
 * for clocks that differ and for writes that are already on their way.
 */
export const maxWait = 60_000

/** Milliseconds from queueing in which most requests end: they run for 10 s at most. The rest is a margin. */
const mostRequests = 15_000

/**
 * Seconds until an early message is tried again. Later tries are further apart, so that the worker drops the message
 * before the queue's ten tries make it a dead letter.
 *
 * @param age in milliseconds from queueing
 */
export const retryDelay = (age: number): number => (age < mostRequests ? 5 : 15)
