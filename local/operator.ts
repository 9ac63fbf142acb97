import { rmSync, writeFileSync } from 'node:fs'
import type { Caller, Credential } from './aws/credentials.ts'
import { StartError } from './start-error.ts'
import type { Assembly } from './template/assembly.ts'
import { resolverOf } from './template/resolver.ts'
import type { Deployment } from './template/return-values.ts'
import type { JsonObject } from './template/template.ts'

/**
 * What the commands in `operations/` read from a running system's data directory. For AWS they read an AWS profile and
 * the file of `cdk deploy --outputs-file`.
 */
export interface OperatorFile {
  endpoint: string
  region: string
  credentials: Credential
  /** Seconds by which the system's clock is ahead of the machine's. */
  ahead: number
  /** By stack name, as in CDK's file. */
  outputs: Record<string, Record<string, string>>
}

export const operatorFileName = 'operator.json'

/** The operator as a caller of AWS, with the permissions of the stack's managed policies. */
export function operatorOf({ template }: Assembly, deployment: Deployment): Caller {
  const resolver = resolverOf(template, deployment)
  const policies = Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::ManagedPolicy')
    .map(([name]) => ({ name, policy: resolver.properties(name).PolicyDocument as JsonObject }))
  return { label: 'operator', name: 'operator', role: 'operator', policies }
}

/** Writes the file, readable by its owner only. @returns a function that removes it */
export function writeOperatorFile(
  path: string,
  assembly: Assembly,
  deployment: Deployment,
  credentials: Credential,
  ahead: number,
): () => void {
  const contents: OperatorFile = {
    endpoint: deployment.awsUrl,
    region: deployment.region,
    credentials,
    ahead,
    outputs: { [deployment.stackName]: outputsOf(assembly, deployment) },
  }
  const remove = () => rmSync(path, { force: true })
  // Removed first, because writing to an existing file would keep its mode.
  remove()
  writeFileSync(path, JSON.stringify(contents), { mode: 0o600, flag: 'wx' })
  return remove
}

function outputsOf({ template }: Assembly, deployment: Deployment): Record<string, string> {
  const resolver = resolverOf(template, deployment)
  const outputs = Object.entries(template.Outputs ?? {}).flatMap(([name, { Value }]) => {
    try {
      return [[name, String(resolver.resolve(Value))]]
    } catch (error) {
      if (error instanceof StartError) return []
      throw error
    }
  })
  return Object.fromEntries(outputs)
}
