import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { welcome } from '../../local/console.ts'
import { linkIn, runSystem } from '../support/system/running.ts'

/** What people type first: the lines in README and those that `npm start` prints, in bash, zsh and fish. */

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const running = runSystem({ RATE_LIMITS: 'off' })

/** The README's second block: the first one starts the system. */
function readmeLines(): string {
  const [, lines = ''] = [...readme.matchAll(/^```sh\n(.+?)^```/gms)].map(([, block = '']) => block)
  return lines.replaceAll('http://localhost:3000', running.system.baseUrl)
}

/** The lines to try that `npm start` prints. */
function printedLines(): string {
  const [, lines = ''] = /Try it:\n\n(.+?)\n\n/s.exec(welcome(running.system, '', 1)) ?? []
  return `${lines.replace(/^ {2}/gm, '')}\n`
}

/** Shells without anybody's own settings. zsh, the shell of macOS, and fish may be missing. */
const shells: Record<string, string[]> = {
  bash: ['--norc', '--noprofile', '-i'],
  zsh: ['-f', '-i', '-s'],
  fish: ['--no-config'],
}
const isThere = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'exit'])
    return true
  } catch {
    return false
  }
}

async function type(shell: string, lines: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', PS1: '', PS2: '' }
  // fish reads no commands from a socket, which Node gives it.
  const child = spawn(shell, [...(shells[shell] ?? []), ...(shell === 'fish' ? ['-c', lines] : [])], { env })
  child.stdin.end(lines)
  const [stdout] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return stdout
}

const cases = Object.keys(shells)
  .filter(isThere)
  .flatMap(shell => [
    [shell, 'the README’s lines', readmeLines] as const,
    [shell, 'what npm start prints', printedLines] as const,
  ])

test.each(cases)('in %s, %s register, log in and show the account', async (shell, _, lines) => {
  const email = `${crypto.randomUUID()}@example.com`
  const typed = lines().replaceAll('ada@example.com', email)
  const stdout = await type(shell, typed)
  const accounts = [...stdout.matchAll(/\{"id".+?\}/g)].map(([account]) => JSON.parse(account))
  expect(accounts).toMatchObject([
    { email, name: 'Ada', is_verified: false },
    { email, name: 'Ada', is_verified: false },
  ])
  expect(linkIn(await running.nextMail(email)).pathname).toBe('/verify-email')
})

const documents = globSync('{*,docs/*}.md', { cwd: root })

test.each(documents)('no command in %s has a comment after it, which zsh takes for arguments', document => {
  const blocks = [...readFileSync(join(root, document), 'utf8').matchAll(/^ *```sh\n(.+?)^ *```/gms)]
  const commented = blocks.flatMap(([, lines = '']) => lines.split('\n').filter(line => /\S\s+#\s/.test(line)))
  expect(commented).toEqual([])
})
