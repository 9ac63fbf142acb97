import { App } from 'aws-cdk-lib'
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { ServiceStack } from './service-stack.ts'
import type { Settings } from './settings.ts'

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
  const context = { ...flags, 'aws:cdk:bundling-stacks': [] }
  const app = new App({
    context,
    analyticsReporting: false,
    ...(outdir && { outdir }),
    ...(!validate && { builtinCloudFormationValidation: false }),
  })
  return { app, stack: new ServiceStack(app, 'Gatehouse', { settings, warnings }) }
}
