import { Duration, Stack, Validations } from 'aws-cdk-lib'
import * as gateway from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { clientPaths, deployedFunctions, providerPaths } from '../../api/needs.ts'
import { routeKeysOf } from '../../api/route-keys.ts'
import type { FunctionName } from '../../api/routes.ts'
import type { Settings } from '../settings/settings.ts'
import { accessLog } from './access-log.ts'
import { keepLogicalId } from './logical-id.ts'
import type { ServiceFunction } from './service-function.ts'
import { Throttles } from './throttles.ts'

/**
 * Headers that tracing in pages adds to calls: W3C Trace Context, W3C Baggage, and Sentry's. Browsers block calls with
 * headers that the preflight does not allow (Fetch standard, "CORS-preflight fetch").
 */
const tracing = ['traceparent', 'tracestate', 'baggage', 'sentry-trace']

/** Headers in which agents repeat what a message says (Model Context Protocol, "Streamable HTTP"). */
export const ofAgents = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

/**
 * The headers that pages of other origins may send. `*` would not cover Authorization (Fetch standard, "CORS
 * non-wildcard request-header name").
 */
export const allowedHeaders = {
  api: ['authorization', 'content-type', 'if-none-match', ...ofAgents, ...tracing],
  catalogue: ['if-none-match', ...tracing],
  /** For the catalogue's paths with a query, in a query string or in a body. */
  catalogueQueries: ['content-type', 'if-none-match', ...ofAgents, ...tracing],
}

type ApiProps = Pick<
  Settings,
  | 'CORS_ORIGINS'
  | 'API_DOMAIN'
  | 'API_CERTIFICATE_ARN'
  | 'EXPECTED_ACCOUNTS'
  | 'OIDC_CLIENTS'
  | 'SIGN_IN_PROVIDERS'
  | 'STAGE'
>

/** An integration that invokes by a role. CDK's own adds a permission for each route, and a stack is limited to 500 resources. */
class Integration extends HttpLambdaIntegration {
  readonly #invoker: Role

  constructor(id: string, handler: IFunction, invoker: Role) {
    super(id, handler)
    this.#invoker = invoker
  }

  override bind(options: gateway.HttpRouteIntegrationBindOptions): gateway.HttpRouteIntegrationConfig {
    return { ...super.bind(options), credentials: gateway.IntegrationCredentials.fromRole(this.#invoker) }
  }

  protected override completeBind(): void {}
}

/** The HTTP API: its CORS, throttles and access log, and one integration per function. */
export class Api extends Construct {
  readonly http: gateway.HttpApi
  /** Its host name at API Gateway. */
  readonly host: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly domain: gateway.DomainName | null
  readonly answered429: Metric
  /** The name of the access log's log group. */
  readonly accessLog: string
  readonly #stage: gateway.HttpStage
  readonly #throttles: Throttles
  readonly #routeSettings: Record<string, object> = {}
  readonly #invoker: Role
  readonly #invocations = new PolicyStatement({ actions: ['lambda:InvokeFunction'] })

  /** The paths that are unknown in this stage. */
  readonly #absent: ReadonlySet<string>

  constructor(scope: Construct, id: string, settings: ApiProps) {
    super(scope, id)
    const [hasClients, hasProviders] = [settings.OIDC_CLIENTS.length > 0, settings.SIGN_IN_PROVIDERS.length > 0]
    this.#absent = new Set([...(hasClients ? [] : clientPaths), ...(hasProviders ? [] : providerPaths)])
    this.http = new gateway.HttpApi(this, 'Http', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
      corsPreflight: {
        allowOrigins: [...settings.CORS_ORIGINS],
        allowMethods: [
          gateway.CorsHttpMethod.GET,
          gateway.CorsHttpMethod.HEAD,
          gateway.CorsHttpMethod.POST,
          gateway.CorsHttpMethod.PUT,
        ],
        allowHeaders: allowedHeaders.api,
        exposeHeaders: ['www-authenticate', 'retry-after', 'ratelimit', 'ratelimit-policy', 'etag'],
        maxAge: Duration.hours(1),
      },
    })
    Validations.of(this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG4',
      reason:
        'The functions authorize: most routes are public. The others refuse tokens that a password reset has voided, ' +
        'which an authorizer cannot see, with the problem documents of the contract.',
    })
    // A new API would get a new address, which clients know and every token names as its issuer.
    keepLogicalId(this.http, 'HttpApi')
    this.domain = settings.API_DOMAIN === '' ? null : this.#domain(settings)
    const { region, urlSuffix } = Stack.of(this)
    // Not ApiEndpoint: each resource that reads it costs a deploy one of ten calls per second to API Gateway's control
    // plane (API Gateway, "Quotas").
    this.host = `${this.http.apiId}.execute-api.${region}.${urlSuffix}`
    this.baseUrl = `https://${settings.API_DOMAIN || this.host}`
    this.#invoker = this.#newInvoker()
    const log = accessLog(this, settings.STAGE)
    this.answered429 = log.answered429
    this.accessLog = log.name
    this.#throttles = new Throttles(
      this,
      'Throttles',
      settings.EXPECTED_ACCOUNTS,
      deployedFunctions(hasClients, hasProviders),
    )
    const usual = this.#throttles.of('stage')
    this.#stage = new gateway.HttpStage(this, 'Stage', {
      httpApi: this.http,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: usual.rate, burstLimit: usual.burst },
      accessLogSettings: log.settings,
    })
    if (this.domain) {
      const mapping = new gateway.ApiMapping(this, 'Mapping', {
        api: this.http,
        domainName: this.domain,
        stage: this.#stage,
      })
      keepLogicalId(mapping, 'ApiMapping')
    }
  }

  serve(name: FunctionName, { lambda }: ServiceFunction): void {
    const keys = routeKeysOf(name).filter(key => !this.#absent.has(key.slice(key.indexOf('/'))))
    if (keys.length === 0) return
    this.#invocations.addResources(lambda.functionArn)
    const integration = new Integration(name, lambda, this.#invoker)
    for (const key of keys) {
      const [method, path] = key.split(' ')
      const routeKey = path
        ? gateway.HttpRouteKey.with(path, gateway.HttpMethod[method as keyof typeof gateway.HttpMethod])
        : gateway.HttpRouteKey.DEFAULT
      this.#throttle(key, name, new gateway.HttpRoute(this, key, { httpApi: this.http, routeKey, integration }))
    }
  }

  /** The role that API Gateway assumes to invoke the functions, for this API alone. */
  #newInvoker(): Role {
    const { apiId } = this.http
    const stack = Stack.of(this)
    return new Role(this, 'Invoker', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com', {
        conditions: {
          // AWS does not document whether API Gateway names the API when it assumes a role, nor by which ARN: a
          // stricter condition could refuse every request. Only holders of iam:PassRole can give an API the role: in
          // the pipeline, CloudFormation.
          ArnLikeIfExists: {
            'aws:SourceArn': [
              stack.formatArn({ service: 'execute-api', resource: apiId, resourceName: '*' }),
              stack.formatArn({ service: 'apigateway', account: '', resource: '/apis', resourceName: `${apiId}*` }),
            ],
          },
        },
      }),
      inlinePolicies: { Grants: new PolicyDocument({ statements: [this.#invocations] }) },
    })
  }

  #throttle(key: string, name: FunctionName, route: gateway.HttpRoute): void {
    if (!this.#throttles.has(name)) return
    const throttle = this.#throttles.of(name)
    this.#routeSettings[key] = { ThrottlingRateLimit: throttle.rate, ThrottlingBurstLimit: throttle.burst }
    const stage = this.#stage.node.defaultChild as gateway.CfnStage
    stage.routeSettings = this.#routeSettings
    // CloudFormation must create the route first: the stage refuses settings for a route that does not exist.
    this.#stage.node.addDependency(route)
  }

  #domain({ API_DOMAIN, API_CERTIFICATE_ARN }: ApiProps): gateway.DomainName {
    return new gateway.DomainName(this, 'Domain', {
      domainName: API_DOMAIN,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', API_CERTIFICATE_ARN),
      securityPolicy: gateway.SecurityPolicy.TLS_1_2,
    })
  }
}
