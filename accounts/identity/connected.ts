import type { Configured } from '../../shared/base/config.ts'
import { logError } from '../../shared/base/log.ts'
import type { System } from '../../shared/base/system.ts'
import { type SetupLinks, undoableSetUp } from '../factor/setup-link.ts'
import { announceConnection } from '../mail/announcements.ts'
import { formerLanguage } from '../mail/language.ts'
import type { MailQueue } from '../mail/queue.ts'
import type { Provider } from './provider.ts'

/** The notice to an owner whose account a provider is connected to, also when the account is opened. */

export type ConnectionDeps = Pick<System, 'now' | 'randomBytes' | 'log'> &
  Configured<'mailFrom' | 'secondFactor'> & { counters: Pick<SetupLinks, 'allowUndo'>; queueMail: MailQueue }

type Owner = Parameters<typeof announceConnection>[1]

/** Announces it before the write. @returns the write's idempotency token @throws {DomainError} `unavailable` */
export const announceProvider = (deps: ConnectionDeps, owner: Owner, { name }: Provider): Promise<string> =>
  announceConnection(deps, owner, name)

/**
 * Lets the notice's link undo it, unless a second factor guards the account: a mailbox must not undo that. Stored
 * before the notice is mailed, because the account may lose the idempotency token earlier.
 */
export async function allowUndo(deps: ConnectionDeps, owner: Owner, mark: string, at: Date): Promise<void> {
  if (owner.factor !== null || deps.config.secondFactor === 'required') return
  const undoable = { ...undoableSetUp(owner, at), isPasskey: true, language: formerLanguage(owner, at) }
  await deps.counters.allowUndo(mark, undoable).catch(cause => logError(deps, cause))
}
