import type { TestProject } from 'vitest/node'
import { bundleWhatChanged } from '../../infra/build/bundle.ts'
import { rebuild } from '../../local/template/assembly.ts'

/** Runs once before all tests, and after each change in watch mode: builds what has changed of the bundles that the stack packs. */
export async function setup(project: TestProject): Promise<void> {
  await bundleWhatChanged()
  project.onTestsRerun(() => rebuild())
}
