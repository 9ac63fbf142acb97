/** Milliseconds by which this process is ahead of the machine. */
export function ahead(): number
/** Sets them: `Date` says a later time from then on. */
export function setAhead(milliseconds: number): void
