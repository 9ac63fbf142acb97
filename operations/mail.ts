import { run } from './command-line/command.ts'
import { redriveCommand } from './mails/redrive.ts'
import { suppressedCommand, unsuppressCommand } from './mails/suppression.ts'

await run('mail', 'Manages mails that were not delivered.', {
  redrive: redriveCommand,
  suppressed: suppressedCommand,
  unsuppress: unsuppressCommand,
})
