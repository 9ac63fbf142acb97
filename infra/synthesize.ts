import { App } from 'aws-cdk-lib'
import { DISABLE_ASSET_STAGING_CONTEXT } from 'aws-cdk-lib/cx-api'
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { qualifierOf } from './deploy/assembly.ts'
import { type LocalAddresses, ServiceStack } from './service-stack.ts'
import type { Settings } from './settings/settings.ts'

interface Options {
  settings: Settings
  warnings?: readonly string[]
  outdir?: string
  build?: string
  local?: LocalAddresses
  /**
   * Whether CDK validates the template against CloudFormation's rules, which takes about a second, and records the
   * origin of each construct, which takes a quarter of the rest.
   */
  validate?: boolean
  /** Whether the bundles are copied for a deploy, which takes another quarter. */
  copy?: boolean
}

/** Creates the app, the same for `cdk deploy`, `npm start` and the tests. The bundles must exist. */
export function createApp({ settings, warnings = [], outdir, build, local, validate = true, copy = true }: Options): {
  app: App
  stack: ServiceStack
} {
  const context = {
    ...flags,
    'aws:cdk:bundling-stacks': [],
    ...(!copy && { [DISABLE_ASSET_STAGING_CONTEXT]: true }),
    '@aws-cdk/core:bootstrapQualifier': qualifierOf(settings.STAGE),
  }
  const app = new App({
    context,
    analyticsReporting: false,
    ...(outdir && { outdir }),
    ...(!validate && { builtinCloudFormationValidation: false, treeMetadata: false, stackTraces: false }),
  })
  const stack = new ServiceStack(app, 'Gatehouse', {
    settings,
    warnings,
    ...(build !== undefined && { build }),
    ...(local !== undefined && { local }),
    // The construct's id, and so the template's file name, is the same for all stages. On AWS each stage is a stack.
    stackName: `Gatehouse-${settings.STAGE}`,
    description: `Gatehouse (${settings.STAGE}): accounts and authentication, and a catalogue`,
    // CloudFormation copies them to every resource, so that bills can be split.
    tags: { service: 'gatehouse', stage: settings.STAGE },
    terminationProtection: settings.STAGE === 'prod',
  })
  return { app, stack }
}
