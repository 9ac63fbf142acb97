import { App } from 'aws-cdk-lib'
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { qualifierOf } from './deploy/qualifier.ts'
import { ServiceStack } from './service-stack.ts'
import type { Settings } from './settings/settings.ts'

interface Options {
  settings: Settings
  warnings?: readonly string[]
  outdir?: string
  /** Whether CDK holds the template against CloudFormation's own rules, which takes about a second. */
  validate?: boolean
}

/** The app, the same for `cdk deploy`, `npm start` and the tests. The bundles must be there. */
export function createApp({ settings, warnings = [], outdir, validate = true }: Options): {
  app: App
  stack: ServiceStack
} {
  const context = {
    ...flags,
    'aws:cdk:bundling-stacks': [],
    '@aws-cdk/core:bootstrapQualifier': qualifierOf(settings.STAGE),
  }
  const app = new App({
    context,
    analyticsReporting: false,
    ...(outdir && { outdir }),
    ...(!validate && { builtinCloudFormationValidation: false }),
  })
  const stack = new ServiceStack(app, 'Gatehouse', {
    settings,
    warnings,
    // The construct's id and with it the template's name are the same for every stage; on AWS stages stand side by side.
    stackName: `Gatehouse-${settings.STAGE}`,
    description: `Gatehouse (${settings.STAGE}): accounts and authentication, and a catalogue`,
    // Handed on to every resource, so that bills can be told apart.
    tags: { service: 'gatehouse', stage: settings.STAGE },
    terminationProtection: settings.STAGE === 'prod',
  })
  return { app, stack }
}
