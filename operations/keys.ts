import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { command, run } from './command-line/command.ts'
import { findStack, stackOptions } from './command-line/stack.ts'

const list = command({
  summary: 'Lists the published signing keys; the first signs.',
  options: stackOptions,
  details: `Each name in the setting SIGNING_KEYS is a key in KMS. KMS keeps a key after its name is removed there, but the key is no
longer published, and not listed here. The id of a key in KMS is the kid of the tokens that it signs.`,
  async run(options) {
    const { outputs, client } = findStack(options)
    const kms = new KMSClient(client)
    const now = Date.now()
    const rows = await Promise.all(
      outputs.SigningKeys.split(',').map(async (pair, i) => {
        const [name = '', id = ''] = pair.split('=')
        const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId: id }))
        const { CreationDate, KeyState = '' } = KeyMetadata ?? {}
        return [name, i === 0 ? 'signs' : 'published', age(now - Number(CreationDate ?? now)), KeyState, id]
      }),
    )
    console.log(columns([['name', 'use', 'age', 'state', 'kid and KMS key'], ...rows]))
    return 0
  },
})

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** In the largest unit that gives at least 2: hours matter for a new key, days for an old one. */
function age(milliseconds: number): string {
  if (milliseconds >= 2 * day) return `${Math.floor(milliseconds / day)} days`
  if (milliseconds >= 2 * hour) return `${Math.floor(milliseconds / hour)} hours`
  return `${Math.floor(milliseconds / minute)} minutes`
}

function columns(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map(row => (row[i] ?? '').length)))
  return rows
    .map(row =>
      row
        .map((cell, i) => cell.padEnd((widths[i] ?? 0) + 2))
        .join('')
        .trimEnd(),
    )
    .join('\n')
}

await run('keys', 'Shows the signing keys.', { list })
