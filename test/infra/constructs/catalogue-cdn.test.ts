// CloudFront for the catalogue: what it caches, forwards, adds and refuses.
import { runInNewContext } from 'node:vm'
import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { CatalogueCdn } from '../../../infra/constructs/catalogue-cdn.ts'
import { readSettings } from '../../../infra/settings/settings.ts'
import { caching, commonHeaders, problem } from '../../../shared/base/answer.ts'
import { DomainError } from '../../../shared/base/errors.ts'
import { synthesize } from '../../support/stack/template.ts'

const stack = new Stack(new App({ context: flags, analyticsReporting: false, builtinCloudFormationValidation: false }))
new CatalogueCdn(stack, 'Cdn', 'api.example.com', readSettings({}))
const template = Template.fromStack(stack)

function only(type: string) {
  const [resource, ...others] = Object.values(template.findResources(type))
  if (!resource || others.length > 0) throw new Error(`Not one ${type}`)
  return resource.Properties
}

const distribution = only('AWS::CloudFront::Distribution').DistributionConfig
type Behavior = { PathPattern: string } & Record<string, unknown>
const catalogue: Behavior[] = distribution.CacheBehaviors
/** Paths with queries or messages, and plain ones. */
const [asked, readOnly] = [catalogue.slice(0, 3), catalogue.slice(3)]

/** The policy that all of these behaviours share. */
function policyOf(behaviors: Behavior[], member: string) {
  const [id = '', ...others] = new Set(behaviors.map(behavior => (behavior[member] as { Ref: string }).Ref))
  if (others.length > 0) throw new Error(`Several ${member}`)
  return template.toJSON().Resources[id].Properties
}

test('the catalogue, and nothing else, is fetched from the API', () => {
  const paths = ['/catalogue/validate', '/catalogue/w/api.php', '/catalogue/mcp']
  expect(asked.map(({ PathPattern }) => PathPattern)).toEqual(paths)
  expect(readOnly.map(({ PathPattern }) => PathPattern)).toEqual(['/catalogue', '/catalogue/*'])
  expect(distribution.Origins).toHaveLength(1)
  expect(distribution.Origins[0].CustomOriginConfig).toEqual({
    OriginProtocolPolicy: 'https-only',
    OriginSSLProtocols: ['TLSv1.2'],
  })
  expect(distribution.Origins[0].DomainName).toBe('api.example.com')
  for (const { FunctionAssociations } of catalogue) expect(FunctionAssociations).toBeUndefined()
})

describe('any other path', () => {
  const { FunctionCode: edgeRefusal } = only('AWS::CloudFront::Function')

  test('is answered at the edge, whatever its method', () => {
    const [association, ...others] = distribution.DefaultCacheBehavior.FunctionAssociations
    expect(others).toEqual([])
    expect(association.EventType).toBe('viewer-request')
    expect(distribution.DefaultCacheBehavior.AllowedMethods).toContain('POST')
    expect(only('AWS::CloudFront::Function')).toMatchObject({
      AutoPublish: true,
      FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
    })
  })

  test('is refused as the service refuses, with a sentence of the edge’s own', () => {
    const call = `${edgeRefusal}; handler({ request: { uri: '/auth/me' } })`
    const { statusCode, statusDescription, headers, body } = runInNewContext(call)
    const { title, detail } = JSON.parse(body.data)
    const refusal = problem(new DomainError('not-found', { detail }))
    expect(statusCode).toBe(refusal.statusCode)
    expect(statusDescription).toBe(title)
    const fields = Object.entries<{ value: string }>(headers).map(([name, { value }]) => [name, value])
    expect(Object.fromEntries(fields)).toEqual(refusal.headers)
    expect(body).toEqual({ encoding: 'text', data: refusal.body })
  })

  test('is answered by one global function, as CloudFront calls it', () => {
    const global = {}
    runInNewContext(edgeRefusal, global)
    expect(Object.keys(global)).toEqual(['handler'])
  })
})

test('only HTTPS is spoken, over HTTP/2 and 3, and answers are compressed', () => {
  expect(distribution.HttpVersion).toBe('http2and3')
  for (const behavior of [distribution.DefaultCacheBehavior, ...catalogue]) {
    expect(behavior).toMatchObject({ ViewerProtocolPolicy: 'https-only', Compress: true })
  }
})

test.each([
  ['what is asked, five minutes', asked, caching.fiveMinutes],
  ['what is read, a year', readOnly, caching.forever],
])('answers are kept by path and all query parameters; at most %s', (_, behaviors, most) => {
  const { CachePolicyConfig: policy } = policyOf(behaviors, 'CachePolicyId')
  expect(policy).toMatchObject({ DefaultTTL: 300, MaxTTL: Number(/\d+/.exec(most)) })
  expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toEqual({
    QueryStringsConfig: { QueryStringBehavior: 'all' },
    HeadersConfig: { HeaderBehavior: 'none' },
    CookiesConfig: { CookieBehavior: 'none' },
    EnableAcceptEncodingBrotli: true,
    EnableAcceptEncodingGzip: true,
  })
})

test('what must not be kept is not kept where it may hold a secret', () => {
  expect(policyOf(readOnly, 'CachePolicyId').CachePolicyConfig.MinTTL).toBe(1)
  expect(policyOf(asked, 'CachePolicyId').CachePolicyConfig.MinTTL).toBe(0)
})

const ofAgents = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

test('no cookie reaches the API, and no header but those about a body', () => {
  for (const behavior of readOnly) expect(behavior.OriginRequestPolicyId).toBeUndefined()
  for (const behavior of catalogue) expect(behavior.ForwardedValues).toBeUndefined()
  expect(policyOf(asked, 'OriginRequestPolicyId').OriginRequestPolicyConfig).toMatchObject({
    CookiesConfig: { CookieBehavior: 'none' },
    HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['content-type', 'content-encoding', ...ofAgents] },
    QueryStringsConfig: { QueryStringBehavior: 'none' },
  })
})

test('every method reaches the function, which refuses the wrong ones', () => {
  for (const { AllowedMethods } of catalogue) expect(AllowedMethods).toHaveLength(7)
})

const tracing = ['traceparent', 'tracestate', 'baggage', 'sentry-trace']

test.each([
  ['is read', readOnly, ['GET', 'HEAD', 'OPTIONS'], ['if-none-match', ...tracing]],
  ['is asked', asked, ['GET', 'HEAD', 'OPTIONS', 'POST'], ['content-type', 'if-none-match', ...ofAgents, ...tracing]],
])('any origin may read what %s; nothing may frame or sniff it', (_, behaviors, methods, headers) => {
  expect(policyOf(behaviors, 'ResponseHeadersPolicyId').ResponseHeadersPolicyConfig).toMatchObject({
    CorsConfig: {
      AccessControlMaxAgeSec: 3600,
      AccessControlAllowCredentials: false,
      AccessControlAllowOrigins: { Items: ['*'] },
      AccessControlAllowMethods: { Items: methods },
      AccessControlAllowHeaders: { Items: headers },
      AccessControlExposeHeaders: { Items: ['etag'] },
      OriginOverride: true,
    },
    SecurityHeadersConfig: {
      StrictTransportSecurity: { Override: true },
      FrameOptions: { FrameOption: 'DENY', Override: true },
      ReferrerPolicy: { Override: true },
      ContentSecurityPolicy: { Override: false },
    },
  })
})

test('CloudFront adds the same security headers as the API', () => {
  for (const behaviors of [readOnly, asked]) {
    const { SecurityHeadersConfig: added } = policyOf(behaviors, 'ResponseHeadersPolicyId').ResponseHeadersPolicyConfig
    const { AccessControlMaxAgeSec, IncludeSubdomains, Preload } = added.StrictTransportSecurity
    const directives = [
      `max-age=${AccessControlMaxAgeSec}`,
      ...(IncludeSubdomains ? ['includeSubDomains'] : []),
      ...(Preload ? ['preload'] : []),
    ]
    expect(directives.join('; ')).toBe(commonHeaders['strict-transport-security'])
    // CloudFront's only value is nosniff.
    expect(added.ContentTypeOptions).toEqual({ Override: true })
    expect(commonHeaders['x-content-type-options']).toBe('nosniff')
    expect(added.ReferrerPolicy.ReferrerPolicy).toBe(commonHeaders['referrer-policy'])
    expect(added.ContentSecurityPolicy.ContentSecurityPolicy).toBe(commonHeaders['content-security-policy'])
  }
})

test('no log is kept: it would hold readers’ addresses and searches', () => {
  expect(distribution).not.toHaveProperty('Logging')
  expect(template.findResources('AWS::S3::Bucket')).toEqual({})
})

test("the edge's address is among the outputs", () => {
  expect(synthesize().template.Outputs?.CatalogueUrl?.Value).toEqual({
    'Fn::Join': ['', ['https://', { 'Fn::GetAtt': ['Distribution', 'DomainName'] }, '/catalogue']],
  })
})
