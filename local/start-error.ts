/** The system cannot start. The message is one line that says what to change. */
export class StartError extends Error {
  override name = 'StartError'
}
