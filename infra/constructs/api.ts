import { Duration, Stack, Validations } from 'aws-cdk-lib'
import {
  ApiMapping,
  type CfnStage,
  CorsHttpMethod,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import type { Row } from '../../shared/needs.ts'
import { type Route, routeKeysOf } from '../../shared/routes.ts'
import type { Settings } from '../settings/settings.ts'
import { accessLog } from './access-log.ts'
import { allowedHeaders } from './cors.ts'
import { keepLogicalId } from './logical-id.ts'
import type { ServiceFunction } from './service-function.ts'
import { stageThrottle, throttleOf } from './throttles.ts'

type ApiProps = Pick<Settings, 'CORS_ORIGINS' | 'API_DOMAIN' | 'API_CERTIFICATE_ARN' | 'STAGE'>

/** The HTTP API: CORS, limits and access logs for the whole of it, and one integration per function. */
export class Api extends Construct {
  readonly http: HttpApi
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** Its own host name, if it has one. */
  readonly domain: DomainName | null
  /** Requests answered 429. */
  readonly tooMany: Metric
  readonly #stage: HttpStage
  readonly #routeSettings: Record<string, object> = {}

  constructor(scope: Construct, id: string, settings: ApiProps) {
    super(scope, id)
    this.http = new HttpApi(this, 'Http', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
      corsPreflight: {
        allowOrigins: [...settings.CORS_ORIGINS],
        allowMethods: [CorsHttpMethod.GET, CorsHttpMethod.HEAD, CorsHttpMethod.POST, CorsHttpMethod.PUT],
        allowHeaders: allowedHeaders.api,
        exposeHeaders: ['www-authenticate', 'retry-after', 'ratelimit', 'ratelimit-policy', 'etag'],
        maxAge: Duration.hours(1),
      },
    })
    Validations.of(this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG4',
      reason:
        'The functions authorize: most routes are for everyone, and where a token is needed they refuse outdated ones (a ' +
        'reset voids them), which an authorizer cannot see, by the problem documents of the contract.',
    })
    // Another API would have another address, which clients know and the issuer of every token names.
    keepLogicalId(this.http, 'HttpApi')
    this.domain = settings.API_DOMAIN === '' ? null : this.#domain(settings)
    this.baseUrl = this.domain ? `https://${settings.API_DOMAIN}` : this.http.apiEndpoint
    const log = accessLog(this, settings.STAGE)
    this.tooMany = log.tooMany
    this.#stage = new HttpStage(this, 'Stage', {
      httpApi: this.http,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: stageThrottle.rate, burstLimit: stageThrottle.burst },
      accessLogSettings: log.settings,
    })
    if (this.domain) {
      const mapping = new ApiMapping(this, 'Mapping', { api: this.http, domainName: this.domain, stage: this.#stage })
      keepLogicalId(mapping, 'ApiMapping')
    }
  }

  /** Has a function answer the routes of its row. */
  serve(name: string, row: Row & Pick<Route, 'on'>, { lambda }: ServiceFunction): void {
    const integration = new HttpLambdaIntegration(name, lambda)
    for (const key of routeKeysOf(row)) {
      const [method, path] = key.split(' ')
      const routeKey = path
        ? HttpRouteKey.with(path, HttpMethod[method as keyof typeof HttpMethod])
        : HttpRouteKey.DEFAULT
      this.#throttle(key, row, new HttpRoute(this, key, { httpApi: this.http, routeKey, integration }))
    }
  }

  #throttle(key: string, row: Row, route: HttpRoute): void {
    const throttle = throttleOf(row)
    if (throttle === null) return
    this.#routeSettings[key] = { ThrottlingRateLimit: throttle.rate, ThrottlingBurstLimit: throttle.burst }
    const stage = this.#stage.node.defaultChild as CfnStage
    stage.routeSettings = this.#routeSettings
    // The stage refuses settings of a route that does not exist yet.
    this.#stage.node.addDependency(route)
  }

  #domain({ API_DOMAIN, API_CERTIFICATE_ARN }: ApiProps): DomainName {
    return new DomainName(this, 'Domain', {
      domainName: API_DOMAIN,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', API_CERTIFICATE_ARN),
      securityPolicy: SecurityPolicy.TLS_1_2,
    })
  }
}
