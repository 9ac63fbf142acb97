import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { Prove } from '../accounts/account/account.ts'
import type { Browser } from '../accounts/application/browser-session.ts'
import type { ClientProof } from '../accounts/application/client-authentication.ts'
import type { Authenticated } from '../accounts/token/authentication.ts'

export type Response = APIGatewayProxyStructuredResultV2

/** The event, with what earlier steps added for later ones. */
export interface RequestEvent extends APIGatewayProxyEventV2 {
  limitFields?: Record<string, string>
  authenticated?: Authenticated
  json?: unknown
  prove?: Prove
  browser?: Browser
  oauth?: ClientProof
}

/** A step of `endpoint()`'s pipeline. */
export type Step = MiddlewareObj<RequestEvent, Response>
