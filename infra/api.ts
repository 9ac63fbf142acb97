import { Duration } from 'aws-cdk-lib'
import { CorsHttpMethod, HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Construct } from 'constructs'
import type { Route } from '../shared/routes.ts'
import type { ServiceFunction } from './service-function.ts'

/** The HTTP API: CORS for the whole of it, and one integration per function. */
export class Api extends Construct {
  readonly http: HttpApi
  /** Without a slash at its end. */
  readonly baseUrl: string

  constructor(scope: Construct, id: string, corsOrigins: readonly string[]) {
    super(scope, id)
    this.http = new HttpApi(this, 'Http', {
      description: 'Gatehouse',
      corsPreflight: {
        allowOrigins: [...corsOrigins],
        allowMethods: [CorsHttpMethod.GET, CorsHttpMethod.HEAD, CorsHttpMethod.POST, CorsHttpMethod.PUT],
        // `*` would not cover Authorization (Fetch standard, "CORS non-wildcard request-header name").
        allowHeaders: ['authorization', 'content-type', 'if-none-match'],
        exposeHeaders: ['www-authenticate', 'retry-after', 'ratelimit', 'ratelimit-policy', 'etag'],
        maxAge: Duration.hours(1),
      },
    })
    this.baseUrl = this.http.apiEndpoint
  }

  /** Has a function answer the routes of its row. */
  serve(name: string, { on }: Route, { lambda }: ServiceFunction): void {
    const integration = new HttpLambdaIntegration(name, lambda)
    for (const key of on) {
      const [method, path] = key.split(' ')
      const routeKey = path
        ? HttpRouteKey.with(path, HttpMethod[method as keyof typeof HttpMethod])
        : HttpRouteKey.DEFAULT
      new HttpRoute(this, key, { httpApi: this.http, routeKey, integration })
    }
  }
}
