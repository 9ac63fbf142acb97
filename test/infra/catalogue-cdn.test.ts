// CloudFront in front of the catalogue: what it caches, forwards, adds and refuses.
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { CatalogueCdn } from '../../infra/catalogue-cdn.ts'
import { readSettings } from '../../infra/settings/settings.ts'
import { DomainError } from '../../shared/errors.ts'
import { problem } from '../../shared/http/problem.ts'

const stack = new Stack(new App({ context: flags, analyticsReporting: false, builtinCloudFormationValidation: false }))
new CatalogueCdn(stack, 'Cdn', new HttpApi(stack, 'Api'), readSettings({}))
const template = Template.fromStack(stack)

function only(type: string) {
  const [resource, ...others] = Object.values(template.findResources(type))
  if (!resource || others.length > 0) throw new Error(`Not one ${type}`)
  return resource.Properties
}

const distribution = only('AWS::CloudFront::Distribution').DistributionConfig
const catalogue = distribution.CacheBehaviors

test('the catalogue, and nothing else, is fetched from the API', () => {
  expect(catalogue.map(({ PathPattern }: { PathPattern: string }) => PathPattern)).toEqual([
    '/catalogue',
    '/catalogue/*',
  ])
  expect(distribution.Origins).toHaveLength(1)
  expect(distribution.Origins[0].CustomOriginConfig).toEqual({
    OriginProtocolPolicy: 'https-only',
    OriginSSLProtocols: ['TLSv1.2'],
  })
  expect(JSON.stringify(distribution.Origins[0].DomainName)).toContain('ApiEndpoint')
  for (const { FunctionAssociations } of catalogue) expect(FunctionAssociations).toBeUndefined()
})

describe('any other path', () => {
  const edgeRefusal = readFileSync(new URL('../../infra/edge-refusal.js', import.meta.url), 'utf8')
  const ask = () => runInNewContext(`${edgeRefusal}; handler({ request: { uri: '/auth/me' } })`)

  test('is answered at the edge, whatever its method', () => {
    const [association, ...others] = distribution.DefaultCacheBehavior.FunctionAssociations
    expect(others).toEqual([])
    expect(association.EventType).toBe('viewer-request')
    expect(distribution.DefaultCacheBehavior.AllowedMethods).toContain('POST')
    expect(only('AWS::CloudFront::Function')).toMatchObject({
      AutoPublish: true,
      FunctionCode: edgeRefusal,
      FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
    })
  })

  test('is a 404 with a problem document that is not cached', () => {
    const { statusCode, headers, body } = ask()
    expect(statusCode).toBe(404)
    expect(headers['content-type'].value).toBe('application/problem+json')
    expect(headers['cache-control'].value).toBe('no-store')
    expect(JSON.parse(body.data)).toMatchObject({ title: 'Not Found', status: 404, code: 'not-found' })
  })

  test("is refused as the service refuses: the same fields and members, with a sentence of the edge's own", () => {
    const { statusCode, statusDescription, headers, body } = ask()
    const { title, detail } = JSON.parse(body.data)
    const own = problem(new DomainError('not-found', { detail }))
    expect(statusCode).toBe(own.statusCode)
    expect(statusDescription).toBe(title)
    const fields = Object.entries<{ value: string }>(headers).map(([name, { value }]) => [name, value])
    expect(Object.fromEntries(fields)).toEqual(own.headers)
    expect(body).toEqual({ encoding: 'text', data: own.body })
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

test('answers are kept by path and all query parameters, for five minutes at most', () => {
  const { CachePolicyConfig: policy } = only('AWS::CloudFront::CachePolicy')
  expect(policy).toMatchObject({ MinTTL: 1, DefaultTTL: 300, MaxTTL: 300 })
  expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toEqual({
    QueryStringsConfig: { QueryStringBehavior: 'all' },
    HeadersConfig: { HeaderBehavior: 'none' },
    CookiesConfig: { CookieBehavior: 'none' },
    EnableAcceptEncodingBrotli: true,
    EnableAcceptEncodingGzip: true,
  })
  const [id] = Object.keys(template.findResources('AWS::CloudFront::CachePolicy'))
  for (const { CachePolicyId } of catalogue) expect(CachePolicyId).toEqual({ Ref: id })
})

test("no header or cookie of the viewer's reaches the API", () => {
  for (const behavior of catalogue) {
    expect(behavior.OriginRequestPolicyId).toBeUndefined()
    expect(behavior.ForwardedValues).toBeUndefined()
  }
})

test('every method reaches the function, which refuses the wrong ones', () => {
  for (const { AllowedMethods } of catalogue) expect(AllowedMethods).toHaveLength(7)
})

test('any origin may read the answers, and nothing may run, frame or sniff them', () => {
  const [id] = Object.keys(template.findResources('AWS::CloudFront::ResponseHeadersPolicy'))
  for (const { ResponseHeadersPolicyId } of catalogue) expect(ResponseHeadersPolicyId).toEqual({ Ref: id })
  expect(only('AWS::CloudFront::ResponseHeadersPolicy').ResponseHeadersPolicyConfig).toMatchObject({
    CorsConfig: {
      AccessControlAllowCredentials: false,
      AccessControlAllowOrigins: { Items: ['*'] },
      AccessControlAllowMethods: { Items: ['GET', 'HEAD', 'OPTIONS'] },
      AccessControlAllowHeaders: { Items: ['if-none-match', 'traceparent', 'tracestate', 'baggage', 'sentry-trace'] },
      AccessControlExposeHeaders: { Items: ['etag'] },
      OriginOverride: true,
    },
    SecurityHeadersConfig: {
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: true, Override: true },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY', Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
      ContentSecurityPolicy: {
        ContentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        Override: true,
      },
    },
  })
})

test('no log is kept: it would hold the addresses of readers and what they search for', () => {
  expect(distribution).not.toHaveProperty('Logging')
  expect(template.findResources('AWS::S3::Bucket')).toEqual({})
})
