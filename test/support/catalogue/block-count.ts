// The amount of code that runs, counted by V8 in blocks: unlike time, independent of the machine's load.
import { type Profiler, Session } from 'node:inspector'

const session = new Session()

export function startCounting(): void {
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

export function stopCounting(): void {
  session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
}

/** How many blocks of the catalogue's code run. The language's own functions are not counted. */
export function countBlocks(run: () => void): number {
  takeCounts()
  run()
  return takeCounts()
}

/** Counts since the last call. */
function takeCounts(): number {
  let scripts: Profiler.ScriptCoverage[] = []
  session.post('Profiler.takePreciseCoverage', (_, taken) => {
    scripts = taken.result
  })
  return scripts
    .filter(({ url }) => url.includes('/catalogue/'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)
}
