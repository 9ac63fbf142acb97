import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { command, jsonOption, run } from './command-line/command.ts'
import { findStack, stackOptions } from './command-line/stack.ts'
import { print } from './command-line/terminal.ts'

const list = command({
  summary: 'Lists the published signing keys; the first signs.',
  options: { ...stackOptions, ...jsonOption },
  details: `Each name in the setting SIGNING_KEYS is a key in KMS. KMS keeps a key after its name is removed there, but the key is no
longer published, and not listed here. The id of a key in KMS is the kid of the tokens that it signs.

--json prints [{name, signs, created_at, state, kid}].`,
  async run(options) {
    const { outputs, client } = findStack(options)
    const kms = new KMSClient(client)
    const keys = await Promise.all(
      outputs.SigningKeys.split(',').map(async (pair, i) => {
        const [name = '', kid = ''] = pair.split('=')
        const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId: kid }))
        const { CreationDate: created_at = null, KeyState: state = '' } = KeyMetadata ?? {}
        return { name, signs: i === 0, created_at, state, kid }
      }),
    )
    if (options.json) {
      print(JSON.stringify(keys))
      return 0
    }
    const now = Date.now()
    const rows = keys.map(({ name, signs, created_at, state, kid }) => {
      const old = age(now - Number(created_at ?? now))
      return [name, signs ? 'signs' : 'published', old, state, kid]
    })
    print(columns([['name', 'use', 'age', 'state', 'kid and KMS key'], ...rows]))
    return 0
  },
})

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** In the largest unit of which there are at least 2: hours matter for a new key, days for an old one. */
function age(milliseconds: number): string {
  if (milliseconds >= 2 * day) return `${Math.floor(milliseconds / day)} days`
  if (milliseconds >= 2 * hour) return `${Math.floor(milliseconds / hour)} hours`
  return `${Math.floor(milliseconds / minute)} minutes`
}

function columns(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map(row => (row[i] ?? '').length)))
  return rows.map(row =>
    row
      .map((cell, i) => cell.padEnd((widths[i] ?? 0) + 2))
      .join('')
      .trimEnd(),
  )
}

await run('keys', 'Shows the signing keys.', { list })
