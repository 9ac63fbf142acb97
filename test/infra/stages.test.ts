import { describe, expect, test } from 'vitest'
import { cloudFrontRegion } from '../../infra/monitoring/alarms.ts'
import manifest from '../../package.json' with { type: 'json' }
import { everything } from '../support/stack/settings.ts'
import { inText, synthesize } from '../support/stack/template.ts'

const prod = synthesize({ STAGE: 'prod' })
const staging = synthesize(everything)
const templateOf = ({ template }: typeof prod): string => JSON.stringify(template)

const partNames = new Set([
  'AttributeName',
  'DisplayName',
  'DomainName',
  'IndexName',
  'MetricName',
  'PolicyName',
  'StageName',
])

/**
 * The names that the template itself gives to resources, at any depth. Not those of parts with local names (attributes,
 * indexes, dimensions, members of a policy), and not references to named resources.
 */
function names(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, inner]) => {
    const isPart = /\/(?:Dimensions|Metrics|KeySchema|AttributeDefinitions|GlobalSecondaryIndexes)$/.test(path)
    const isName = /Name$/.test(member) && !partNames.has(member)
    if (isPart || !isName) return names(inner, `${path}/${Array.isArray(value) ? '' : member}`.replace(/\/$/, ''))
    const isReference = typeof inner === 'object' && /^{"(?:Ref":"(?!AWS::)|Fn::GetAtt)/.test(JSON.stringify(inner))
    return isReference ? [] : [`${path.split('/')[1]} ${member} ${JSON.stringify(inner)}`]
  })
}

describe('stages', () => {
  test('are stacks of their own names, by one template name', () => {
    expect(prod.stack.stackName).toBe('Gatehouse-prod')
    expect(staging.stack.stackName).toBe('Gatehouse-staging')
    expect(synthesize().stack.stackName).toBe('Gatehouse-dev')
    expect(staging.stack.templateFile).toBe(prod.stack.templateFile)
  })

  test('stand side by side in one account: no two resources share a name', () => {
    const ofProd = new Set(names(prod.template.Resources))
    const inBoth = names(staging.template.Resources).filter(name => ofProd.has(name))
    expect(inBoth.filter(name => !name.includes('AWS::StackName'))).toEqual([])
    expect(ofProd.size).toBeGreaterThan(3)
  })

  test('export nothing, so that none can hold another up', () => {
    const { Outputs } = prod.template as { Outputs?: Record<string, object> }
    for (const output of Object.values(Outputs ?? {})) expect(output).not.toHaveProperty('Export')
  })

  test('say which version they run', () => {
    const { Outputs = {} } = prod.template as { Outputs?: Record<string, { Value: unknown }> }
    expect(Outputs.Version?.Value).toBe(manifest.version)
  })

  test('are protected from deletion only as prod', () => {
    expect(prod.stack.terminationProtection).toBe(true)
    expect(staging.stack.terminationProtection).toBe(false)
  })

  test('hand their name on, as a tag and as a dimension of metrics', () => {
    expect(staging.stack.tags.tagValues()).toEqual({ service: 'gatehouse', stage: 'staging' })
    expect(staging.variables('login').STAGE).toBe('staging')
  })
})

test('nothing is tied to an account, or to a region but CloudFront’s metrics', () => {
  const { Mappings, ...template } = prod.template as typeof prod.template & { Mappings: object }
  expect(templateOf(prod)).not.toMatch(/\b\d{12}\b/)
  expect(JSON.stringify(template).replaceAll(cloudFrontRegion, '')).not.toMatch(
    /\b(?:us|eu|ap|ca|sa|me|af)-[a-z]+-\d\b/,
  )
  expect(prod.stack.environment).toMatch(/unknown-account\/unknown-region$/)
})

describe("the API's own domain", () => {
  test('has its certificate and takes no TLS older than 1.2', () => {
    expect(staging.only('AWS::ApiGatewayV2::DomainName').Properties).toMatchObject({
      DomainName: everything.API_DOMAIN,
      DomainNameConfigurations: [
        { CertificateArn: everything.API_CERTIFICATE_ARN, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
      ],
    })
    expect(staging.only('AWS::ApiGatewayV2::ApiMapping').Properties).toMatchObject({
      ApiId: { Ref: 'HttpApi' },
      Stage: '$default',
    })
  })

  test('is the issuer of tokens and, without SITE_URL, where links lead', () => {
    const { SITE_URL: _, ...env } = everything
    const withoutSite = synthesize(env)
    expect(withoutSite.variables('login').ISSUER).toBe('https://api.example.com/auth')
    expect(withoutSite.variables('on-mail-queued').SITE_URL).toBe('https://api.example.com')
  })

  test('has an output that says what DNS must point at', () => {
    const { Outputs } = staging.template as { Outputs?: Record<string, { Value: unknown }> }
    expect(inText(Outputs?.ApiDomainTarget?.Value)).toMatch(/^<\w+\.RegionalDomainName>$/)
  })

  test('is absent unless it is asked for', () => {
    expect(prod.all('AWS::ApiGatewayV2::DomainName')).toEqual([])
  })
})

describe("the catalogue's own domain", () => {
  const { DistributionConfig } = staging.properties('Distribution') as { DistributionConfig: Record<string, unknown> }

  test('has its certificate and takes no TLS older than 1.2', () => {
    expect(DistributionConfig).toMatchObject({
      Aliases: [everything.CATALOGUE_DOMAIN],
      ViewerCertificate: {
        AcmCertificateArn: everything.CATALOGUE_CERTIFICATE_ARN,
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
    })
  })

  test('is guarded by the web ACL that is named', () => {
    expect(DistributionConfig).toMatchObject({ WebACLId: everything.WEB_ACL_ARN })
  })

  test('is the address among the outputs, beside what DNS must point at', () => {
    const { Outputs = {} } = staging.template
    expect(Outputs.CatalogueUrl?.Value).toBe('https://catalogue.example.com/catalogue')
    expect(inText(Outputs.CatalogueDomainTarget?.Value)).toBe('<Distribution.DomainName>')
  })

  test('is absent unless it is asked for', () => {
    expect(prod.properties('Distribution').DistributionConfig).not.toHaveProperty('Aliases')
    expect(prod.properties('Distribution').DistributionConfig).not.toHaveProperty('WebACLId')
  })
})

describe('without CloudFront (CATALOGUE_CDN=off)', () => {
  const without = synthesize({ CATALOGUE_CDN: 'off' })

  test('the stack has nothing of CloudFront, and no output names it', () => {
    expect(templateOf(without)).not.toMatch(/CloudFront|Catalogue\w*(?:Url|Target)/)
  })

  test('the API serves the catalogue, and all else stays as it is', () => {
    const ids = ({ template }: typeof prod) =>
      Object.entries(template.Resources).flatMap(([id, { Type }]) =>
        /CloudFront/.test(Type) || /CatalogueErrors|SeesCloudFront/.test(id) ? [] : [id],
      )
    expect(ids(without)).toEqual(ids(prod))
    expect(without.all('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => Properties.RouteKey)).toContain(
      'ANY /catalogue',
    )
  })
})

describe('an SES identity', () => {
  const set = staging.only('AWS::SES::ConfigurationSet')

  test('sends by a configuration set that spares suppressed addresses, wants TLS and counts', () => {
    expect(set.Properties).toEqual({
      DeliveryOptions: { TlsPolicy: 'REQUIRE' },
      ReputationOptions: { ReputationMetricsEnabled: false },
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    })
    expect(staging.only('AWS::SES::ConfigurationSetEventDestination').Properties).toMatchObject({
      ConfigurationSetName: { Ref: set.id },
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: expect.arrayContaining(['bounce', 'complaint']),
        CloudWatchDestination: expect.anything(),
      },
    })
  })

  test('has that set as its default and outlives the stack', () => {
    expect(staging.only('AWS::SES::EmailIdentity')).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        EmailIdentity: 'example.com',
        ConfigurationSetAttributes: { ConfigurationSetName: { Ref: set.id } },
      },
    })
  })

  test('is sent from by the mail worker, which may use that set and no other', () => {
    const sets = staging.permissions('on-mail-queued').filter(permission => permission.includes('configuration-set'))
    expect(sets).toEqual([
      `ses:SendEmail on arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:configuration-set/<${set.id}>`,
    ])
  })

  test('tells as outputs which records DNS must hold', () => {
    const { Outputs = {} } = staging.template as { Outputs?: Record<string, { Value: unknown }> }
    const records = Object.entries(Outputs).filter(([id]) => /Dkim\d/.test(id))
    expect(records.map(([, { Value }]) => inText(Value))).toEqual(
      [1, 2, 3].map(i => expect.stringMatching(new RegExp(`DkimDNSTokenName${i}> CNAME <.*DkimDNSTokenValue${i}>$`))),
    )
  })

  test('can be an address', () => {
    const single = synthesize({ MAIL_FROM: 'post@example.com', SES_IDENTITY: 'post@example.com' })
    expect(single.only('AWS::SES::EmailIdentity').Properties).toMatchObject({ EmailIdentity: 'post@example.com' })
  })

  test('is absent unless it is asked for', () => {
    const withSender = synthesize({ MAIL_FROM: 'post@example.com' })
    expect(withSender.all('AWS::SES::EmailIdentity')).toEqual([])
    expect(withSender.all('AWS::SES::ConfigurationSet')).toEqual([])
  })
})
