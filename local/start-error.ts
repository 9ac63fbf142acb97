/** The system cannot start. The message is one line that says what to change. */
export class StartError extends Error {
  override name = 'StartError'
}

/** Another process uses what the system needs. The message names all of it. */
export class InUseError extends StartError {
  readonly taken: readonly string[]

  /** @param taken each with its setting, such as `PORT 3000` */
  constructor(taken: readonly string[]) {
    super(
      `in use: ${taken.join(', ')}; choose others, or stop what uses them. A second system needs PORT, which moves the ports ` +
        'that are not set, and DATA_DIR',
    )
    this.taken = taken
  }
}
