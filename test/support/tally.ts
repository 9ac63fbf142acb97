import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one plain line that any tool can read: how many tests passed, failed and were skipped. */
export default class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const test of modules.flatMap(module => [...module.children.allTests()])) counts[test.result().state] += 1
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }
}
