import { SettingsError } from './settings/setting.ts'
import { type Settings, settingsTable } from './settings/settings.ts'

/** The AWS quotas of a stack, how much of each a template uses, and the refusal of settings that need more. */

/** Parts of a template that this reads. */
export interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>
  Outputs?: Record<string, unknown>
}

interface Use {
  /** Such as `the environment of LoginFunction`. */
  of: string
  used: number
}

interface Quota {
  name: string
  limit: number
  unit: string
  /** Where AWS documents it. */
  source: string
  uses(template: Template, measure: Measure): Use[]
}

/** A generated name ends in a hyphen and 12 or 13 characters (AWS CloudFormation, "Resource name"). */
const suffix = `-${'X'.repeat(13)}`
/** Names of roles and functions have at most 64 characters; CloudFormation cuts them. */
const shortName = 64

/** AWS values at their longest. */
const account = '1'.repeat(12)
const pseudo: Record<string, string> = {
  'AWS::AccountId': account,
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': 'ap-southeast-1',
  'AWS::URLSuffix': 'amazonaws.com.cn',
}
const { 'AWS::Partition': partition, 'AWS::Region': region, 'AWS::URLSuffix': urlSuffix } = pseudo
const uuid = '0'.repeat(36)

/** The values of `Ref` and the attribute `Arn` of a resource with its longest name. */
const names: Record<string, (name: string) => { ref: string; arn?: string }> = {
  // API Gateway's ids have ten characters.
  'AWS::ApiGatewayV2::Api': () => ({ ref: 'x'.repeat(10) }),
  'AWS::DynamoDB::Table': name => ({ ref: name, arn: `dynamodb:${region}:${account}:table/${name}` }),
  'AWS::IAM::Role': name => ({
    ref: name.slice(0, shortName),
    arn: `iam::${account}:role/${name.slice(0, shortName)}`,
  }),
  'AWS::KMS::Key': () => ({ ref: uuid, arn: `kms:${region}:${account}:key/${uuid}` }),
  'AWS::Lambda::Function': name => ({
    ref: name.slice(0, shortName),
    arn: `lambda:${region}:${account}:function:${name.slice(0, shortName)}`,
  }),
  'AWS::Logs::LogGroup': name => ({ ref: name, arn: `logs:${region}:${account}:log-group:${name}:*` }),
  'AWS::SES::ConfigurationSet': name => ({ ref: name }),
  'AWS::SNS::Topic': name => ({ ref: `arn:${partition}:sns:${region}:${account}:${name}` }),
  'AWS::SQS::Queue': name => ({
    ref: `https://sqs.${region}.${urlSuffix}/${account}/${name}`,
    arn: `sqs:${region}:${account}:${name}`,
  }),
}

/** The longest JSON that an expression of a template can become. */
type Measure = (expression: unknown) => string

function measureIn({ Resources }: Template, stackName: string): Measure {
  const namesOf = (id: string) => {
    const { Type, Properties } = Resources[id] ?? { Type: '' }
    // Some resources have explicit names.
    const given = Object.entries(Properties ?? {}).find(
      ([member, value]) => /Name$/.test(member) && typeof value === 'string',
    )
    const found = names[Type]?.(String(given?.[1] ?? `${stackName}-${id}${suffix}`))
    if (!found) throw new Error(`infra/quotas.ts does not know what ${id}, of the type ${Type}, is called`)
    return found
  }
  function textOf(expression: unknown): unknown {
    if (Array.isArray(expression)) return expression.map(textOf)
    if (typeof expression !== 'object' || expression === null) return expression
    const [[name = '', argument] = [], ...others] = Object.entries(expression)
    if (others.length === 0 && name === 'Ref') return pseudo[String(argument)] ?? namesOf(String(argument)).ref
    if (others.length === 0 && name === 'Fn::GetAtt') return arnOf(argument as [string, string])
    if (others.length === 0 && name === 'Fn::Join') {
      const [separator, parts] = textOf(argument) as [string, string[]]
      return parts.join(separator)
    }
    if (name.startsWith('Fn::')) throw new Error(`infra/quotas.ts does not know how long ${name} gets`)
    return Object.fromEntries(Object.entries(expression).map(([member, inner]) => [member, textOf(inner)]))
  }
  function arnOf([id, attribute]: [string, string]): string {
    const { arn } = namesOf(id)
    if (attribute !== 'Arn' || arn === undefined) throw new Error(`infra/quotas.ts does not know ${id}.${attribute}`)
    return `arn:${partition}:${arn}`
  }
  return expression => JSON.stringify(textOf(expression))
}

/** The resources of a type whose name begins with `AWS::`, by logical id. */
const ofType = ({ Resources }: Template, type: string) =>
  Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) =>
    Type === `AWS::${type}` ? [[id, Properties] as const] : [],
  )

const bytes = (json: string): number => Buffer.byteLength(json)

/** A use of the whole stack. */
const once = (of: string, used: number): Use[] => [{ of, used }]

const metricsOf = (widget: Widget): number => widget.properties.metrics?.length ?? 0
interface Widget {
  properties: { metrics?: unknown[]; alarms?: unknown[]; query?: string }
}

/** The widgets of the dashboard: its body is JSON in pieces, with names in between. As `[object Object]` they leave it JSON. */
const widgets = (template: Template): Widget[] =>
  ofType(template, 'CloudWatch::Dashboard').flatMap(([, { DashboardBody }]) => {
    const {
      'Fn::Join': [, pieces],
    } = DashboardBody as { 'Fn::Join': [string, unknown[]] }
    return JSON.parse(pieces.join('')).widgets as Widget[]
  })

const quotas: readonly Quota[] = [
  {
    name: 'Environment of a function',
    limit: 4096,
    unit: 'bytes',
    source: 'AWS Lambda, "Quotas"',
    uses: (template, measure) =>
      ofType(template, 'Lambda::Function').map(([id, { Environment }]) => ({
        of: `the environment of ${id}`,
        // Lambda measures it as JSON.
        used: bytes(measure((Environment as { Variables?: object } | undefined)?.Variables ?? {})),
      })),
  },
  {
    name: 'Policies in a role',
    limit: 10_240,
    unit: 'characters',
    source: 'IAM and STS, "Quotas"',
    uses: (template, measure) => {
      const shared = ofType(template, 'IAM::Policy')
      return ofType(template, 'IAM::Role').map(([id, { Policies = [] }]) => {
        const attached = shared.filter(([, { Roles }]) => JSON.stringify(Roles).includes(`{"Ref":"${id}"}`))
        const policies = [...(Policies as Policy[]), ...attached.map(([, policy]) => policy as unknown as Policy)]
        return {
          of: `the policies of ${id}`,
          used: policies.reduce((sum, one) => sum + measure(one.PolicyDocument).length, 0),
        }
      })
    },
  },
  {
    name: 'A managed policy',
    limit: 6144,
    unit: 'characters',
    source: 'IAM and STS, "Quotas"',
    uses: (template, measure) =>
      ofType(template, 'IAM::ManagedPolicy').map(([id, { PolicyDocument }]) => ({
        of: `the policy ${id}`,
        used: measure(PolicyDocument).length,
      })),
  },
  {
    name: "A key's policy",
    limit: 32_768,
    unit: 'bytes',
    source: 'AWS KMS, "Resource quotas"',
    uses: (template, measure) =>
      ofType(template, 'KMS::Key').map(([id, { KeyPolicy }]) => ({
        of: `the policy of the key ${id}`,
        used: bytes(measure(KeyPolicy)),
      })),
  },
  {
    name: 'The template',
    limit: 1000,
    unit: 'kilobytes',
    source: 'AWS CloudFormation, "Quotas"',
    // CDK indents by one space.
    uses: template => once('the template', Math.ceil(bytes(JSON.stringify(template, undefined, 1)) / 1000)),
  },
  {
    name: 'Resources',
    // CloudFormation's 500, less room for later versions: from here on a second stack is due.
    limit: 450,
    unit: 'resources',
    source: 'AWS CloudFormation, "Quotas": 500',
    uses: ({ Resources }) => once('the stack', Object.keys(Resources).length),
  },
  {
    name: 'Outputs',
    limit: 200,
    unit: 'outputs',
    source: 'AWS CloudFormation, "Quotas"',
    uses: ({ Outputs = {} }) => once('the stack', Object.keys(Outputs).length),
  },
  ...(['Route', 'Integration'] as const).map(kind => ({
    name: `${kind}s`,
    limit: 300,
    unit: `${kind.toLowerCase()}s`,
    source: 'Amazon API Gateway, "Quotas of HTTP APIs"',
    uses: (template: Template) => once('the API', ofType(template, `ApiGatewayV2::${kind}`).length),
  })),
  {
    name: 'Metrics of a widget',
    limit: 500,
    unit: 'metrics',
    source: 'Amazon CloudWatch, "Quotas"',
    uses: template => widgets(template).map(widget => ({ of: 'a widget of the dashboard', used: metricsOf(widget) })),
  },
  {
    name: 'Metrics of the dashboard',
    limit: 2500,
    unit: 'metrics',
    source: 'Amazon CloudWatch, "Quotas"',
    uses: template =>
      once(
        'the dashboard',
        widgets(template).reduce((sum, widget) => sum + metricsOf(widget), 0),
      ),
  },
  {
    name: 'Log groups of a query',
    limit: 50,
    unit: 'log groups',
    source: 'Amazon CloudWatch Logs, "Quotas"',
    uses: template =>
      widgets(template).map(({ properties: { query = '' } }) => ({
        of: 'a query of the dashboard',
        used: query.match(/\bSOURCE '/g)?.length ?? 0,
      })),
  },
  {
    name: 'Alarms of a widget',
    limit: 100,
    unit: 'alarms',
    source: 'Amazon CloudWatch, "Alarm status widget"',
    uses: template =>
      widgets(template).map(({ properties: { alarms = [] } }) => ({
        of: 'a widget of the dashboard',
        used: alarms.length,
      })),
  },
]

interface Policy {
  PolicyDocument: unknown
}

/** A template's use of each quota, at its highest. */
export const usesIn = (template: Template, stackName: string): (Quota & { most: Use })[] => {
  const measure = measureIn(template, stackName)
  return quotas.map(quota => {
    const uses = quota.uses(template, measure)
    return { ...quota, most: uses.reduce((most, use) => (use.used > most.used ? use : most), { of: '', used: 0 }) }
  })
}

/** A shorter setting does not fill a quota. */
export const longSetting = 100

/**
 * Refuses settings that exceed a quota of AWS, in a line that names the longest.
 *
 * @throws {SettingsError}
 */
export function requireRoom(template: Template, stackName: string, settings: Settings): void {
  const long = Object.keys(settingsTable)
    .map(name => [name, bytes(String(settings[name as keyof Settings]))] as const)
    .filter(([, length]) => length >= longSetting)
    .sort(([, one], [, other]) => other - one)
    .map(([name, length]) => `${name} ${length}`)
  const faults = usesIn(template, stackName)
    .filter(({ most, limit }) => most.used > limit)
    .map(
      ({ most, limit, unit, source }) =>
        `${most.of} takes ${most.used} of ${limit} ${unit} (${source}): shorten ${long.join(', ') || 'what was added'}`,
    )
  if (faults.length > 0) throw new SettingsError(faults)
}
