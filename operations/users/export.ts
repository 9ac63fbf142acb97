import { command } from '../command-line/command.ts'
import { CommandError } from '../command-line/failures.ts'
import { showProgress, takeInterruption } from '../command-line/long-work.ts'
import { findStack, stackOptions } from '../command-line/stack.ts'
import { note } from '../command-line/terminal.ts'
import { openSink } from '../command-line/text-files.ts'
import { recordOf, recordWithHashes } from './kept-attributes.ts'
import { AccountTable } from './table.ts'

export const exportCommand = command({
  summary: 'Writes all accounts as NDJSON that import reads.',
  options: {
    ...stackOptions,
    to: { type: 'string', value: 'FILE', meaning: 'a new file that only its owner can read; by default stdout' },
    'with-hashes': {
      type: 'boolean',
      meaning: `include all that opens an account: password hashes, second factors and the hashes of their
        recovery codes; needs --to, since anyone who reads them can try passwords`,
    },
  },
  details: `With hashes, an import into the same stack brings back accounts as they are: each logs in as before, but for sessions and
mailed links, which no file has. The secrets of authenticator apps stay encrypted under the stack's key (factor_key): with
another key they are of no use. To import a file without hashes, pass --no-passwords. second_factor says that an account has
one. To write to stdout, run \`npm run --silent users -- export …\`; otherwise npm prints lines of its own first.`,
  async run(options) {
    const withHashes = options['with-hashes'] === true
    // Terminals and CI logs keep what is printed.
    if (withHashes && options.to === undefined) {
      throw new CommandError('hashes go only into a file that only its owner can read: pass --to FILE', 2)
    }
    const stack = findStack(options)
    const table = new AccountTable(stack)
    // Without its last page a file is of no use: it is removed.
    using interruption = takeInterruption()
    await using sink = await openSink(options.to)
    let count = 0
    const progress = showProgress(() => `${count} exported`)
    try {
      for await (const page of table.pages()) {
        const records = page.map(item => (withHashes ? recordWithHashes(item, stack) : recordOf(item)))
        await sink.write(records.map(record => JSON.stringify(record)))
        count += page.length
        interruption.signal.throwIfAborted()
      }
      await sink.finish()
    } finally {
      progress.end()
    }
    note(`${count} exported`)
    return 0
  },
})
