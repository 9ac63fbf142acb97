import { run } from './command-line/command.ts'
import {
  adminCommand,
  lockCommand,
  revokeCommand,
  secondFactorCommand,
  signOutCommand,
  unlockCommand,
  verifyCommand,
} from './users/actions.ts'
import { deleteCommand } from './users/delete.ts'
import { exportCommand } from './users/export.ts'
import { importCommand } from './users/import.ts'
import { listCommand } from './users/list.ts'
import { showCommand } from './users/show.ts'

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
  'second-factor': secondFactorCommand,
  delete: deleteCommand,
})
