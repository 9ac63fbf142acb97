// A Gatehouse for each of Playwright's workers, with accounts, mails and a clock of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test as base } from '@playwright/test'

export { expect } from '@playwright/test'
export const test = base.extend({
  gatehouse: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use, { parallelIndex }) => {
      const port = 4000 + 10 * parallelIndex
      const data = await mkdtemp(join(tmpdir(), 'gatehouse-'))
      const env = { ...process.env, PORT: String(port), DATA_DIR: data, BCRYPT_COST: '10' }
      const system = spawn('npm', ['--prefix', process.env.GATEHOUSE, 'start'], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(system, 'close')
      const isReady = await Promise.race([untilReady(system.stdout), ended.then(() => false)])
      if (isReady) await use({ api: `http://localhost:${port}`, inbox: `http://localhost:${port + 1}` })
      system.kill()
      await ended
      await rm(data, { recursive: true })
      if (!isReady) throw new Error(`Gatehouse does not start at ${port}`)
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

async function untilReady(output) {
  for await (const line of createInterface(output)) {
    if (!line.includes('is ready after')) continue
    output.resume() // What it prints afterwards goes nowhere.
    return true
  }
  return false
}
