import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { needing, versions } from './generators/tools.ts'
import { readers, trialsOf } from './programs.ts'

/** The programs in `docs/moving-out.md`, unchanged, but for Node's: that one runs in `npm test`. */

const ways = {
  python: { missing: needing('passlib', 'django'), file: 'read.py', command: 'python3 read.py' },
  php: { missing: needing('php'), file: 'read.php', command: 'php read.php' },
  go: {
    missing: needing('go'),
    file: 'main.go',
    command: `go mod init read && go get ${versions.goCrypto} ${versions.goText} && go run .`,
  },
}

const others = readers.filter(({ language }) => language !== 'js')

test('each language has a way to run', () =>
  expect([...new Set(others.map(({ language }) => language))].sort()).toEqual(Object.keys(ways).sort()))

test.for(others)('a hash is read by $language', async ({ language, ...reader }, { skip }) => {
  const { missing, file, command } = ways[language as keyof typeof ways]
  const absent = await missing()
  if (absent) console.warn(`Not run: docs/moving-out.md in ${language}. ${absent}.`)
  if (absent) skip(absent)
  for (const [program, prints] of await trialsOf(reader)) {
    const cwd = mkdtempSync(join(tmpdir(), 'gatehouse-reader-'))
    writeFileSync(join(cwd, file), program)
    const { stdout } = await promisify(execFile)('/bin/sh', ['-ec', command], { cwd })
    rmSync(cwd, { recursive: true })
    expect({ prints: stdout.trim().toLowerCase(), program }).toEqual({ prints, program })
  }
})
