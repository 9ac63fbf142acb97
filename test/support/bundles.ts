import { bundle } from '../../infra/build/bundle.ts'

/** Runs once before all tests: builds the bundles that the stack packs. */
export async function setup(): Promise<void> {
  await bundle()
}
