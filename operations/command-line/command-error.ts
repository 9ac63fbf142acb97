/** Exit codes: 0 is success, 1 a failure that was printed, 2 a wrong call. */
export type Status = 0 | 1 | 2

/** Ends a command. Its message is for the operator. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly status: Status

  constructor(message: string, status: Status = 1) {
    super(message)
    this.status = status
  }
}
