/** The system cannot start. The message says what to do: it names a setting, a command or a guide. */
export class StartError extends Error {
  override name = 'StartError'
}

/** The stack has something that the stand-ins do not know. */
export const unsupported = (what: string): StartError =>
  new StartError(`${what}; what is known stands in local/: CONTRIBUTING.md, "An AWS service"`)

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
