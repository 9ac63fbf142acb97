import { Template } from 'aws-cdk-lib/assertions'
import { readSettings } from '../../infra/settings/settings.ts'
import { createApp } from '../../infra/synthesize.ts'

/** The resources that a deploy with these settings would create: the properties of all of a type. */
export function resourcesOf(env: Record<string, string>): (type: string) => Record<string, unknown>[] {
  const template = Template.fromStack(createApp({ settings: readSettings(env), validate: false, copy: false }).stack)
  return type => Object.values(template.findResources(type)).map(({ Properties }) => Properties)
}
