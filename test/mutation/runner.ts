import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { createVitest } from 'vitest/node'

/** What `mutate.ts` asks for: test files, and the sources that are changed while they run. */
export interface Request {
  files: string[]
  changed: string[]
}

export interface Failure {
  file: string
  test: string
}

// Vitest, and what it has compiled in the folder where this is started, stay from one request to the next.
let failures: Failure[] = []
const vitest = await createVitest({
  watch: false,
  ...(process.argv[2] === 'near'
    ? // Several workers would each load the SDK for tests that take seconds.
      { bail: 1, maxWorkers: 1, config: 'test/mutation/vitest.config.ts' }
    : { project: ['service', 'stack', 'products'] }),
  reporters: [
    {
      onTestModuleEnd(module) {
        const [test] = module.children.allTests('failed')
        if (module.state() === 'failed')
          failures.push({
            file: relative(process.cwd(), module.moduleId),
            test: test?.fullName ?? module.errors()[0]?.message ?? '',
          })
      },
    },
  ],
})
await vitest.standalone()
// Vitest has its own files in the other one. Stacks that tests synthesise take half a gigabyte each time.
process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'tests-'))

let former: string[] = []
process.on('message', async ({ files, changed }: Request) => {
  failures = []
  // The limit of failures counts those of former requests too.
  vitest.state.idMap.clear()
  for (const file of [...former, ...changed]) vitest.invalidateFile(resolve(file))
  former = changed
  try {
    const { unhandledErrors } = await vitest.runTestFiles(files.map(file => resolve(file)))
    if (failures.length === 0 && unhandledErrors.length > 0) failures.push({ file: 'outside of tests', test: '' })
  } catch (error) {
    failures.push({ file: 'the build', test: String(error).split('\n')[0] ?? '' })
  }
  process.send?.(failures)
  const folder = process.env.TMPDIR ?? ''
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  mkdirSync(folder, { recursive: true })
})
process.on('disconnect', () => process.exit())
