import type { CfnResource } from 'aws-cdk-lib'
import type { IConstruct } from 'constructs'

/** What holds data, or an address that others know, keeps its logical id wherever its construct moves. */
export function keepLogicalId(construct: IConstruct, logicalId: string): void {
  const resource = construct.node.defaultChild as CfnResource
  resource.overrideLogicalId(logicalId)
}
