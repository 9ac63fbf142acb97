import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundleWhatChanged } from '../../infra/build/bundle.ts'
import { rebuild } from '../../local/template/assembly.ts'

/**
 * Runs once before all tests, and after each change in watch mode: builds the stack's changed bundles. A run has a
 * temporary folder of its own, so that no test has to clean up; CDK alone leaves half a gigabyte there.
 *
 * @returns runs once after all tests
 */
export async function setup(project: TestProject): Promise<() => void> {
  await bundleWhatChanged()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tests-'))
  process.env.TMPDIR = folder
  // A process that was just killed may still write.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  project.onTestsRerun(async () => {
    await rebuild()
    // The stacks that tests have synthesised hold the former bundles.
    remove()
    mkdirSync(folder)
  })
  return remove
}
