import {
  adminCommand,
  lockCommand,
  revokeCommand,
  signOutCommand,
  unlockCommand,
  verifyCommand,
} from './accounts/actions.ts'
import { deleteCommand } from './accounts/delete.ts'
import { exportCommand } from './accounts/export.ts'
import { importCommand } from './accounts/import.ts'
import { listCommand } from './accounts/list.ts'
import { showCommand } from './accounts/show.ts'
import { run } from './command-line/command.ts'

await run('users', 'Manages accounts.', {
  import: importCommand,
  export: exportCommand,
  list: listCommand,
  show: showCommand,
  verify: verifyCommand,
  admin: adminCommand,
  lock: lockCommand,
  unlock: unlockCommand,
  'sign-out': signOutCommand,
  revoke: revokeCommand,
  delete: deleteCommand,
})
