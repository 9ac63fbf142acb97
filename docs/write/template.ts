import { Template } from 'aws-cdk-lib/assertions'
import { usesIn } from '../../infra/quotas.ts'
import { readSettings } from '../../infra/settings/settings.ts'
import { createApp } from '../../infra/synthesize.ts'

/**
 * How much of AWS's quotas a stack takes.
 *
 * @param env its settings, but for its name, which is as long as it gets
 */
export function quotaUses(env: Record<string, string>) {
  const settings = readSettings({ ...env, STAGE: 'x'.repeat(12) })
  const { stack } = createApp({ settings, validate: false, copy: false })
  return usesIn(Template.fromStack(stack).toJSON() as Parameters<typeof usesIn>[0], stack.stackName)
}

/** The resources that a deploy with these settings would create: the properties of all of a type. */
export function resourcesOf(env: Record<string, string>): (type: string) => Record<string, unknown>[] {
  const template = Template.fromStack(createApp({ settings: readSettings(env), validate: false, copy: false }).stack)
  return type => Object.values(template.findResources(type)).map(({ Properties }) => Properties)
}
