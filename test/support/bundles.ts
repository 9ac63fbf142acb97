import { bundle } from '../../infra/build/bundle.ts'

/** Once before all tests: the bundles, which the stack packs. */
export async function setup(): Promise<void> {
  await bundle()
}
