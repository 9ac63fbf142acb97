import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { medianOf } from './measure/figures.ts'
import { report } from './measure/report.ts'

/**
 * How long `npm start` takes until it says that it is ready, on a checkout that was built before and on a fresh one: without
 * a build, data and caches of compiled code. The packages are installed, and the files of both lie in the system's cache.
 */

/** Turns. A start varies by a tenth, and so the median of five by 6 %. */
const rounds = 5

const root = join(import.meta.dirname, '..')

/** A copy of what git knows of this checkout, with its packages. */
function checkOut(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-start-'))
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of String(files).split('\0').filter(Boolean)) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Seconds of CPU of a group of processes so far, with those of its ended children (proc_pid_stat(5): in ticks of 10 ms). */
function cpuOfGroup(group: number): number {
  let ticks = 0
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    const stat = readStat(pid)
    // After the name in brackets: state, parent, group, … and from the 12th on user, system, and both of ended children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(fields[2]) === group) for (const field of fields.slice(11, 15)) ticks += Number(field)
  }
  return ticks / 100
}

/** Empty when the process has just ended. */
function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}

/** Starts it, and stops it as soon as it is ready. @returns seconds */
async function start(folder: string): Promise<{ wall: number; cpu: number }> {
  const { NODE_COMPILE_CACHE: _, ...own } = process.env
  const env = { ...own, PORT: '0', INBOX_PORT: '0', DATA_DIR: join(folder, '.data') }
  const begin = performance.now()
  const child = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise(resolve => child.once('close', resolve))
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    if (printed.includes('is ready')) break
  }
  const measured = { wall: (performance.now() - begin) / 1000, cpu: cpuOfGroup(Number(child.pid)) }
  if (!printed.includes('is ready')) throw new Error(`npm start ends: ${printed}`)
  process.kill(-Number(child.pid), 'SIGTERM')
  await closed
  return measured
}

const spent = { built: [] as { wall: number; cpu: number }[], fresh: [] as { wall: number; cpu: number }[] }
for (let round = 0; round < rounds; round++) {
  const folder = checkOut()
  spent.fresh.push(await start(folder))
  spent.built.push(await start(folder))
  rmSync(folder, { recursive: true })
}

const row = (what: string, starts: typeof spent.built, target: number) => [
  what,
  { figure: medianOf(starts.map(({ wall }) => wall)), unit: 's', target },
  { figure: medianOf(starts.map(({ cpu }) => cpu)), unit: 's' },
]
report(
  '`npm start`, until it is ready',
  ['', 'time', 'CPU of all processes'],
  [row('a built checkout', spent.built, 3), row('a fresh checkout', spent.fresh, 6)],
)
