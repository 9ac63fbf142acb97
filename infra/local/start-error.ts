/** What keeps the system from starting, in one line that says what to change. */
export class StartError extends Error {
  override name = 'StartError'
}
