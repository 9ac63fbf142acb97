import { run } from './command-line/command.ts'
import { redriveCommand } from './redrive.ts'
import { suppressedCommand, unsuppressCommand } from './suppression.ts'

await run('mail', 'Manages mails that were not delivered.', {
  redrive: redriveCommand,
  suppressed: suppressedCommand,
  unsuppress: unsuppressCommand,
})
