import { Checklist } from './command-line/checklist.ts'
import { command, jsonOption, run } from './command-line/command.ts'
import { CommandError } from './command-line/failures.ts'
import { findStack, stackOptions } from './command-line/stack.ts'
import { print } from './command-line/terminal.ts'
import { checkStack } from './stack/check.ts'

const { local: _, ...onAws } = stackOptions

const check = command({
  summary: 'Finds alarms that reach nobody, and quotas, keys, backups and certificates that are not as needed.',
  options: { ...onAws, ...jsonOption },
  details: `Run it once a stage is deployed, after each change of a setting, and before more people come. It reads what AWS says of the
stack and of the account, and no account of a person. It exits with 1 if something needs to be done.`,
  async run(options) {
    const stack = findStack(options)
    if (stack.outputs.OperatorStackPolicy === undefined) {
      throw new CommandError('these outputs are of an earlier version: deploy, and write the file again')
    }
    const checklist = new Checklist(options.json ? () => {} : print)
    await checkStack(checklist, stack)
    const { counts, results } = checklist
    if (options.json) print(JSON.stringify({ ...counts, checks: results }))
    else print(`${counts.ok} ok, ${counts.failed} failed, ${counts.skipped} skipped`)
    return counts.failed === 0 ? 0 : 1
  },
})

await run('stack', 'Looks at what AWS says of a stack.', { check })
