/** Of a process: everything was done; something was left undone, and said; the command was not called rightly. */
export type Status = 0 | 1 | 2

/** What keeps a command from going on, in words for its operator. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly status: Status

  constructor(message: string, status: Status = 1) {
    super(message)
    this.status = status
  }
}
