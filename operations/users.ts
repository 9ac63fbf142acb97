import { exportCommand, importCommand } from './accounts/all-accounts.ts'
import { deleteCommand, showCommand, verifyCommand } from './accounts/one-account.ts'
import { run } from './command-line/command.ts'

await run('users', 'Accounts, by hand.', {
  import: importCommand,
  export: exportCommand,
  show: showCommand,
  delete: deleteCommand,
  verify: verifyCommand,
})
