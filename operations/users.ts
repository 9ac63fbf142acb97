import { exportCommand, importCommand } from './all-accounts.ts'
import { run } from './command.ts'
import { deleteCommand, showCommand, verifyCommand } from './one-account.ts'

await run('users', 'Accounts, by hand.', {
  import: importCommand,
  export: exportCommand,
  show: showCommand,
  delete: deleteCommand,
  verify: verifyCommand,
})
