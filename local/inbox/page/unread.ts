/** The ids of mails that this browser has shown. Other windows may change them at any time. */
const name = 'read'

const ids = (): string[] => {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '[]')
  } catch {
    // Storage is forbidden.
    return []
  }
}

const keep = (kept: readonly string[]): void => {
  try {
    localStorage.setItem(name, JSON.stringify(kept))
  } catch {
    // Then all mails count as new after a reload.
  }
}

export const readIds = (): ReadonlySet<string> => new Set(ids())

export function markRead(id: string): void {
  if (!ids().includes(id)) keep([...ids(), id])
}

/** Forgets mails that the inbox no longer has. */
export function forgetAllBut(present: ReadonlySet<string>): void {
  const kept = ids().filter(id => present.has(id))
  if (kept.length < ids().length) keep(kept)
}
