import { run } from './command-line/command.ts'
import * as actions from './users/actions.ts'
import { deleteCommand } from './users/delete.ts'
import { exportCommand } from './users/export.ts'
import { importCommand } from './users/import.ts'
import { inviteCommand } from './users/invite.ts'
import { languageCommand } from './users/language.ts'
import { listCommand } from './users/list.ts'
import { moveCommand } from './users/move.ts'
import { rolesCommand } from './users/roles.ts'
import { showCommand } from './users/show.ts'

await run('users', 'Manages accounts.', {
  invite: inviteCommand,
  import: importCommand,
  export: exportCommand,
  list: listCommand,
  show: showCommand,
  verify: actions.verifyCommand,
  admin: actions.adminCommand,
  lock: actions.lockCommand,
  unlock: actions.unlockCommand,
  'sign-out': actions.signOutCommand,
  revoke: actions.revokeCommand,
  'second-factor': actions.secondFactorCommand,
  passkeys: actions.passkeysCommand,
  disconnect: actions.disconnectCommand,
  language: languageCommand,
  roles: rolesCommand,
  move: moveCommand,
  delete: deleteCommand,
})
