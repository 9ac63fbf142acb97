import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The allowed contents of a stage's cloud assembly. It imports Node alone: jobs with AWS credentials install no packages. */

/**
 * The bootstrap qualifier of a stage. It is part of the names of the bootstrap's bucket and roles, which separates
 * stages in one account and region. CDK allows up to ten letters and digits: the stage's name, or the first ten digits
 * of its SHA-256.
 */
export const qualifierOf = (stage: string): string =>
  /^[a-z0-9]{1,10}$/.test(stage) ? stage : createHash('sha256').update(stage).digest('hex').slice(0, 10)

/** The shape of a value: a text of this form, an object with exactly these members, or a check. */
type Shape = RegExp | Check | { [member: string]: Shape }
/** @returns a line for each fault of the value at the path `at` */
type Check = (value: unknown, at: string) => string[]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function faults(value: unknown, shape: Shape, at: string): string[] {
  if (typeof shape === 'function') return shape(value, at)
  if (shape instanceof RegExp) return typeof value === 'string' && shape.test(value) ? [] : [isWrong(value, at)]
  if (!isObject(value)) return [isWrong(value, at)]
  return [...new Set([...Object.keys(shape), ...Object.keys(value)])].flatMap(member => {
    const within = `${at}.${member}`
    // Not `in`: a member may be called `__proto__` or `constructor`.
    return Object.hasOwn(shape, member)
      ? faults(value[member], shape[member] as Shape, within)
      : [`${within} is unknown`]
  })
}

const isWrong = (value: unknown, at: string): string => `${at} is ${JSON.stringify(value)?.slice(0, 200) ?? 'missing'}`

const anything: Check = () => []
const exactly =
  (expected: string): Check =>
  (value, at) =>
    value === expected ? [] : [isWrong(value, at)]
const optional =
  (shape: Shape): Check =>
  (value, at) =>
    value === undefined ? [] : faults(value, shape, at)
const each =
  (shape: Shape, name = /^/): Check =>
  (value, at) => {
    if (typeof value !== 'object' || value === null) return [isWrong(value, at)]
    const entries = Object.entries(value)
    return entries.flatMap(([key, inner]) =>
      faults(inner, shape, `${at}.${key}`).concat(name.test(key) ? [] : [`${at}.${key} is no name`]),
    )
  }

/** A file or folder at the top of the assembly; no other path is ever written. */
const entry = /^\w[\w.-]*$/
const sha256 = /^[0-9a-f]{64}$/
/** Of an object in the bootstrap's bucket. */
const key = /^[0-9a-f]{64}\.(?:json|zip)$/
const words = /^[\w ./-]*$/

/** Neither files nor folders, such as links. (Node's own recursive `readdir` follows links.) */
const foreignIn = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap(found => {
    const path = join(directory, found.name)
    if (found.isDirectory()) return foreignIn(path)
    return found.isFile() ? [] : [`${JSON.stringify(path)} is neither a file nor a folder`]
  })

/**
 * The faults of a stage's assembly, a line each. The CDK's command line obeys an assembly: it runs the `executable` of
 * an asset, builds Docker images, uploads any path, and assumes the named roles. So every member that it reads must be
 * as this stack's synthesis writes it; all others are refused.
 *
 * @param directory written by `cdk synth`
 */
export function assemblyFaults(directory: string, stage: string): string[] {
  if (!lstatSync(directory).isDirectory()) return [`${JSON.stringify(directory)} is no folder`]
  const foreign = foreignIn(directory)
  if (foreign.length > 0) return foreign

  /** The name of a JSON file whose content has a shape of its own. */
  const json =
    (shape: Shape): Check =>
    (name, at) => {
      const misnamed = faults(name, entry, at)
      if (misnamed.length > 0) return misnamed
      let content: unknown
      try {
        content = JSON.parse(readFileSync(join(directory, name as string), 'utf8'))
      } catch {
        // The parser's message quotes the file.
        return [`${name} is not JSON, or missing`]
      }
      return faults(content, shape, name as string)
    }

  const qualifier = qualifierOf(stage)
  const here = `\${AWS::AccountId}-\${AWS::Region}`
  const bucket = `cdk-${qualifier}-assets-${here}`
  const role = (name: string) =>
    exactly(`arn:\${AWS::Partition}:iam::\${AWS::AccountId}:role/cdk-${qualifier}-${name}-role-${here}`)
  const bootstrap = {
    requiresBootstrapStackVersion: anything,
    bootstrapStackVersionSsmParameter: exactly(`/cdk-bootstrap/${qualifier}/version`),
  }
  const assets: Shape = {
    version: words,
    files: each(
      {
        displayName: optional(words),
        source: { path: entry, packaging: /^(?:file|zip)$/ },
        destinations: each({
          bucketName: exactly(bucket),
          objectKey: key,
          assumeRoleArn: role('file-publishing'),
        }),
      },
      // Part of a file name in the command line.
      sha256,
    ),
    // Each would be a build, and so a command.
    dockerImages: optional({}),
  }
  // Earlier versions of the CDK listed assets here, and the command line still builds and uploads them.
  const metadata = each(
    each((note, at) => (isObject(note) && note.type !== 'aws:cdk:asset' ? [] : [isWrong(note, at)])),
  )
  const template: Check = (content, at) =>
    Object.entries((isObject(content) && content.Resources) || {}).flatMap(([id, resource]) =>
      // The path of a nested stack's template.
      faults(resource?.Metadata?.['aws:asset:path'], optional(entry), `${at}.${id}`),
    )
  const artifacts: Record<string, Shape> = {
    'cdk:asset-manifest': { file: json(assets), ...bootstrap },
    'aws:cloudformation:stack': {
      stackName: exactly(`Gatehouse-${stage}`),
      templateFile: json(template),
      stackTemplateAssetObjectUrl: (url, at) =>
        typeof url === 'string' && url.startsWith(`s3://${bucket}/`) && key.test(url.slice(`s3://${bucket}/`.length))
          ? []
          : [isWrong(url, at)],
      assumeRoleArn: role('deploy'),
      cloudFormationExecutionRoleArn: role('cfn-exec'),
      lookupRole: { arn: role('lookup'), ...bootstrap },
      ...bootstrap,
      terminationProtection: anything,
      tags: each(words),
      validateOnSynth: anything,
      additionalDependencies: anything,
    },
    'cdk:tree': { file: entry },
    'cdk:feature-flag-report': anything,
  }
  const artifact: Check = (value, at) => {
    const { type } = isObject(value) ? value : {}
    if (typeof type !== 'string' || !Object.hasOwn(artifacts, type)) return [isWrong(type, `${at}.type`)]
    const known = {
      type: anything,
      properties: artifacts[type] as Shape,
      environment: optional(exactly('aws://unknown-account/unknown-region')),
      dependencies: optional(anything),
      displayName: optional(words),
      metadata: optional(metadata),
      additionalMetadataFile: optional(json(metadata)),
    }
    return faults(value, known, at)
  }
  const manifest = { version: words, minimumCliVersion: optional(words), artifacts: each(artifact) }
  // Without line breaks: GitHub takes a log line that begins with `::` for a command.
  return json(manifest)('manifest.json', '').map(line => line.replace(/\p{C}/gu, '?'))
}
