import usual from '../../vitest.config.ts'

/** For the tests that are nearest to a change: without the build of all bundles, which takes longer than they do. */
export default { ...usual, root: process.cwd(), test: { ...usual.test, globalSetup: [] } }
