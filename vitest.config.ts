import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { htmlPagesInTests } from './test/support/html-pages.ts'

/** Tests of the synthesised template. */
const stackTests = 'test/infra/{*,{build,constructs,monitoring,settings}/*}.test.ts'

/** Products of all: each theft, act, link, token and credential with each setting, state and place, random hashes and queries. */
const productTests = [
  'test/accounts/{password/forms,thefts,ways-back}.test.ts',
  'test/catalogue/validate/{hostile,laws,round-trip}.test.ts',
  'test/every-route/{credential,endings,link,password,tokens}.test.ts',
  'test/infra/{quotas,settings/pairs}.test.ts',
]

/**
 * Long campaigns, most of them against the running system: its start, the documents' first commands and examples, what costs
 * are counted by, a repository of an operator's own, attacks, operators' commands, rotation, keys and permissions taken away,
 * processes of functions and of tables, each function in AWS's own runtime, the models explored, sources changed.
 */
const systemTests = [
  'test/docs/{journeys,own-repository}.test.ts',
  'test/end-to-end/{aws-runtime,clock,first-minutes,grants,rotation,unusable-keys,upgrade}.test.ts',
  'test/hostile/*.test.ts',
  'test/local/{accounts-file,aws/tables,clock,lambda/{environments,event-source,functions},reload,restart,start}.test.ts',
  'test/model/*-model.test.ts',
  'test/operations/**/*.test.ts',
]

/** The guides' clients and programs, compiled and run as far as their languages and packages are installed. */
const integrateTests = 'test/integrate/*.test.ts'

/** Files that take longest. Begun last, one would run alone at the end. */
const longFiles =
  /(?:grants|reload|actions|model|first-minutes|thefts|endings|forms|tokens|guesses|client|smoke|calls|answers|aws-runtime|journeys|start|bundle|credential|protection|quotas|pairs)\.test\.ts$/

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { long = [], other = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      longFiles.test(moduleId) ? 'long' : 'other',
    )
    return [...long, ...other]
  }
}

// Processes that tests start load CDK too: with its code compiled by another, each takes a third less.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.vitest/compiled')

export default defineConfig({
  plugins: [htmlPagesInTests],
  test: {
    // Files share what is loaded: a third of the time went to CDK and the SDK, loaded anew for each. So nothing that a file
    // imports may keep what another file gave it, and helpers call hooks such as `beforeAll` in a function, not when they load.
    isolate: false,
    // One more than the two cores that a small machine has: many tests wait for processes and for mails.
    maxWorkers: 3,
    // A busy machine makes tests slow, not wrong: only what hangs takes twenty minutes. The campaign of grants took seven on one.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    reporters: ['default', './test/support/tally.ts'],
    sequence: { sequencer: LongFilesFirst },
    globalSetup: 'test/support/global-setup.ts',
    projects: [
      { extends: true, test: { name: 'stack', include: [stackTests], exclude: productTests } },
      { extends: true, test: { name: 'products', include: productTests } },
      { extends: true, test: { name: 'system', include: systemTests, isolate: true } },
      { extends: true, test: { name: 'integrate', include: [integrateTests], isolate: true } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', stackTests, integrateTests, ...productTests, ...systemTests],
        },
      },
    ],
  },
})
