// CloudFront for the catalogue alone: for the account service every caller would have the edge's address, and share its limits.
import { Aws, Duration, Stack, Validations } from 'aws-cdk-lib'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { Construct } from 'constructs'
import { functions, type Route, routes } from '../../api/routes.ts'
import { commonHeaders, problem } from '../../shared/base/answer.ts'
import { DomainError, titles } from '../../shared/base/errors.ts'
import type { Settings } from '../settings/settings.ts'
import { allowedHeaders, ofAgents } from './api.ts'
import { keepLogicalId } from './logical-id.ts'

type CdnProps = Pick<Settings, 'CATALOGUE_DOMAIN' | 'CATALOGUE_CERTIFICATE_ARN' | 'WEB_ACL_ARN'>

function patternOf(on: string): string {
  const [, path = ''] = on.split(' ')
  return path.replace(/\{[^}]*\}/g, '*')
}

/** Default TTL for answers without one. The catalogue's answers state five minutes too. */
const freshness = Duration.minutes(5)

/** Maximum TTL: that of files with a content hash in their names. Pages loaded before a deploy still find theirs in the caches. */
const longest = Duration.days(365)

/** The paths that take a query, in the query string or in the body of a POST, or an agent's messages. */
const queryPaths = Object.values<Route>(routes).flatMap(({ fields, rpc, on }) => (fields || rpc ? patternOf(on) : []))

/** CloudFront uses the first pattern that matches; `/catalogue/*` does not match `/catalogue`. */
const cataloguePaths = functions.catalogue.gateway.map(patternOf)

/** A distribution that serves `/catalogue` and below from its caches, and answers 404 to everything else. */
export class CatalogueCdn extends Construct {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly distribution: cloudfront.Distribution

  /** @param apiHost the host name of the API */
  constructor(scope: Construct, id: string, apiHost: string, settings: CdnProps) {
    super(scope, id)
    const methods = ['GET', 'HEAD', 'OPTIONS']
    const origin = new HttpOrigin(apiHost, {
      protocolPolicy: cloudfront.OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [cloudfront.OriginSslPolicy.TLS_V1_2],
    })
    const viewer = {
      origin,
      viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
      // The API itself refuses wrong methods.
      allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
      responseHeadersPolicy: this.#headersPolicy('Headers', 'catalogue', methods, allowedHeaders.catalogue),
      compress: true,
    }
    // CloudFront compresses nothing if a policy's times to live are zero ("Serve compressed files").
    const catalogue = {
      ...viewer,
      cachePolicy: this.#cachePolicy('Caching', 'catalogue', Duration.seconds(1), longest),
    }
    const query = {
      ...viewer,
      // The minimum is zero, so that CloudFront obeys `no-store`: an answer may repeat a secret from the query.
      cachePolicy: this.#cachePolicy('CachingAsked', 'catalogue-asked', Duration.seconds(0), freshness),
      originRequestPolicy: this.#bodies(),
      responseHeadersPolicy: this.#headersPolicy(
        'HeadersAsked',
        'catalogue-asked',
        [...methods, 'POST'],
        allowedHeaders.catalogueQueries,
      ),
    }
    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: 'The catalogue of query modules',
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      additionalBehaviors: {
        ...Object.fromEntries(queryPaths.map(path => [path, query])),
        ...Object.fromEntries(cataloguePaths.map(path => [path, catalogue])),
      },
      defaultBehavior: {
        ...viewer,
        cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
        functionAssociations: [{ eventType: cloudfront.FunctionEventType.VIEWER_REQUEST, function: this.#refusal() }],
      },
      ...this.#domain(settings),
      ...(settings.WEB_ACL_ARN && { webAclId: settings.WEB_ACL_ARN }),
    })
    keepLogicalId(this.distribution, 'Distribution')
    this.#acknowledge(settings)
    this.baseUrl = `https://${settings.CATALOGUE_DOMAIN || this.distribution.domainName}`
  }

  #domain({ CATALOGUE_DOMAIN, CATALOGUE_CERTIFICATE_ARN }: CdnProps): Partial<cloudfront.DistributionProps> {
    if (CATALOGUE_DOMAIN === '') return {}
    return {
      domainNames: [CATALOGUE_DOMAIN],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', CATALOGUE_CERTIFICATE_ARN),
      minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
    }
  }

  #acknowledge({ CATALOGUE_DOMAIN, WEB_ACL_ARN }: CdnProps): void {
    const reasons = {
      CFR1: 'The catalogue is public, from every country.',
      CFR3:
        'Standard logs hold the addresses of readers and what they search for, and do not work in opt-in regions. The ' +
        'data is public, and the API logs every request that reaches it.',
      ...(WEB_ACL_ARN === '' && {
        CFR2: 'Cached public answers need little protection; set WEB_ACL_ARN for a web ACL.',
      }),
      ...(CATALOGUE_DOMAIN === '' && {
        CFR4: "CloudFront's default certificate does not allow a choice of TLS version; with CATALOGUE_DOMAIN it is 1.2 or higher.",
      }),
    }
    for (const [rule, reason] of Object.entries(reasons)) {
      Validations.of(this.distribution).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason })
    }
  }

  /** CloudFront's policies and functions have unique names within an account, across stages and regions. */
  #name(part: string): string {
    return `${Stack.of(this).stackName}-${part}-${Aws.REGION}`
  }

  /** Keyed by path and all query parameters: CloudFront would drop parameters that a list lacks, and the API could not refuse them. */
  #cachePolicy(id: string, part: string, minTtl: Duration, maxTtl: Duration): cloudfront.CachePolicy {
    return new cloudfront.CachePolicy(this, id, {
      cachePolicyName: this.#name(part),
      comment: 'Path, all query parameters, and the encodings the client takes',
      queryStringBehavior: cloudfront.CacheQueryStringBehavior.all(),
      headerBehavior: cloudfront.CacheHeaderBehavior.none(),
      cookieBehavior: cloudfront.CacheCookieBehavior.none(),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
      minTtl,
      defaultTtl: freshness,
      maxTtl,
    })
  }

  /** Forwards the headers that describe a body, or repeat it. Without a policy, CloudFront promises to forward none. */
  #bodies(): cloudfront.OriginRequestPolicy {
    return new cloudfront.OriginRequestPolicy(this, 'Bodies', {
      originRequestPolicyName: this.#name('catalogue-asked'),
      comment: 'The media type and the coding of a body, and what agents repeat of it',
      headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList('content-type', 'content-encoding', ...ofAgents),
    })
  }

  #headersPolicy(id: string, part: string, methods: string[], headers: string[]): cloudfront.ResponseHeadersPolicy {
    return new cloudfront.ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: this.#name(part),
      comment: 'Public data: any origin may read it, nothing may run or frame it',
      corsBehavior: {
        accessControlAllowOrigins: ['*'],
        accessControlAllowMethods: methods,
        accessControlAllowHeaders: headers,
        accessControlExposeHeaders: ['etag'],
        accessControlAllowCredentials: false,
        accessControlMaxAge: Duration.hours(1),
        originOverride: true,
      },
      securityHeadersBehavior: {
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: true, override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: cloudfront.HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: cloudfront.HeadersReferrerPolicy.NO_REFERRER, override: true },
        contentSecurityPolicy: {
          contentSecurityPolicy: commonHeaders['content-security-policy'],
          // The explorer's pages have a policy of their own.
          override: false,
        },
      },
    })
  }

  /** Answers every path outside the catalogue: with the API's 404, and a sentence of the edge's own. */
  #refusal(): cloudfront.Function {
    const detail = 'Only the catalogue is here: GET /catalogue lists what there is.'
    const { statusCode = 404, headers = {}, body } = problem(new DomainError('not-found', { detail }))
    // The event structure of CloudFront Functions.
    const refusal = {
      statusCode,
      statusDescription: titles[statusCode],
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
      body: { encoding: 'text', data: body },
    }
    return new cloudfront.Function(this, 'NotFound', {
      functionName: this.#name('not-found'),
      comment: 'Answers 404 to what is not the catalogue',
      code: cloudfront.FunctionCode.fromInline(`function handler() { return ${JSON.stringify(refusal)} }\n`),
    })
  }
}
