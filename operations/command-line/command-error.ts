/** Exit codes: 0 is success, 1 a failure that was printed, 2 a wrong call, 130 an interruption (128 and SIGINT's number). */
export type Status = 0 | 1 | 2 | 130

/** Ends a command. Its message is for the operator. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly status: Status

  constructor(message: string, status: Status = 1) {
    super(message)
    this.status = status
  }
}
