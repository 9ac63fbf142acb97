import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { medianOf } from './measure/figures.ts'
import { reportFigures } from './measure/report.ts'

/**
 * The time of `npm start` until it is ready, on a built checkout and on a fresh one: without a build, data and caches
 * of compiled code. The packages are installed, and the files of both are in the system's cache.
 */

/** Starts of each, in turns. A start varies by a tenth, and so the median of five by 6 %. */
const rounds = 5

const root = join(import.meta.dirname, '..')

/** A copy of the files that git tracks here, with the packages. */
function checkOut(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-start-'))
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of String(files).split('\0').filter(Boolean)) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Starts it, and stops it as soon as it is ready. @returns seconds */
async function start(folder: string): Promise<number> {
  const { NODE_COMPILE_CACHE: _, ...own } = process.env
  const env = { ...own, PORT: '0', DATA_DIR: join(folder, '.data') }
  const begin = performance.now()
  const child = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise(resolve => child.once('close', resolve))
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    if (printed.includes('is ready')) break
  }
  const seconds = (performance.now() - begin) / 1000
  if (!printed.includes('is ready')) throw new Error(`npm start ends: ${printed}`)
  process.kill(-Number(child.pid), 'SIGTERM')
  await closed
  return seconds
}

const built: number[] = []
const fresh: number[] = []
for (let round = 0; round < rounds; round++) {
  const folder = checkOut()
  fresh.push(await start(folder))
  built.push(await start(folder))
  rmSync(folder, { recursive: true })
}

reportFigures('`npm start`, until it is ready', [
  { what: 'a built checkout', figure: medianOf(built), unit: 's', target: 3 },
  { what: 'a fresh checkout', figure: medianOf(fresh), unit: 's', target: 6 },
])
