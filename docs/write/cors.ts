import { synthesize } from '../../test/support/stack/template.ts'
import { code, table } from './table.ts'

/** What pages of other origins may send and read, as API Gateway is told in the template. */
export function corsTable(): string {
  const { CorsConfiguration } = synthesize().only('AWS::ApiGatewayV2::Api').Properties as {
    CorsConfiguration: Record<string, string[]>
  }
  const list = (names: string[] = []) => names.map(code).join(', ')
  return table(
    ['Header or setting', 'What', 'Values'],
    [
      ['`CORS_ORIGINS`', 'Origins', list(CorsConfiguration.AllowOrigins)],
      ['`Access-Control-Allow-Methods`', 'Methods', list(CorsConfiguration.AllowMethods)],
      ['`Access-Control-Allow-Headers`', 'Headers that pages may send', list(CorsConfiguration.AllowHeaders)],
      ['`Access-Control-Expose-Headers`', 'Headers that pages may read', list(CorsConfiguration.ExposeHeaders)],
    ],
  )
}
