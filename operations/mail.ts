import { run } from './command-line/command.ts'
import { redriveCommand } from './mails/redrive.ts'
import { suppressedCommand, unsuppressCommand } from './mails/suppression.ts'

await run('mail', 'Mails, by hand.', {
  redrive: redriveCommand,
  suppressed: suppressedCommand,
  unsuppress: unsuppressCommand,
})
