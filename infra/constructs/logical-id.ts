import type { CfnResource } from 'aws-cdk-lib'
import type { IConstruct } from 'constructs'

/**
 * Fixes a resource's logical id, so that CloudFormation does not replace the resource when its construct moves. For
 * resources that hold data, or whose address others know.
 */
export function keepLogicalId(construct: IConstruct, logicalId: string): void {
  const resource = construct.node.defaultChild as CfnResource
  resource.overrideLogicalId(logicalId)
}

/** `forgot-password` as CDK writes ids: `ForgotPassword`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
