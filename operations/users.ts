import {
  adminCommand,
  lockCommand,
  revokeCommand,
  signOutCommand,
  unlockCommand,
  verifyCommand,
} from './accounts/acts.ts'
import { exportCommand, importCommand } from './accounts/all-accounts.ts'
import { deleteCommand } from './accounts/delete.ts'
import { showCommand } from './accounts/show.ts'
import { run } from './command-line/command.ts'

await run('users', 'Accounts, by hand.', {
  import: importCommand,
  export: exportCommand,
  show: showCommand,
  verify: verifyCommand,
  admin: adminCommand,
  lock: lockCommand,
  unlock: unlockCommand,
  'sign-out': signOutCommand,
  revoke: revokeCommand,
  delete: deleteCommand,
})
