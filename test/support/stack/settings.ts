import { statementOf } from '../../../infra/settings/provider-members.ts'
import { checkTable } from '../../../infra/settings/setting.ts'
import { requireFit, type Settings } from '../../../infra/settings/settings.ts'
import { serviceSettingsTable } from '../../../local/local-settings.ts'
import { clients } from '../clients.ts'
import { providers } from '../providers.ts'

/** bcrypt's minimum: these tests do not depend on a hash's time, and the setting's minimum takes 70 ms longer. */
export const leastCost = 4

/** Settings for a running system, by default with a cost below the setting's minimum. */
export const settingsToRun = (env: Record<string, string>): Settings => ({
  ...requireFit(checkTable(serviceSettingsTable, env)),
  ...(env.BCRYPT_COST === undefined && { BCRYPT_COST: leastCost }),
})

const uuid = '12345678-1234-1234-1234-123456789012'

/** The setting OIDC_CLIENTS: with applications the stack has all functions and routes. */
export const applications = JSON.stringify(
  clients.map(({ home, secrets, ...client }) => ({
    ...client,
    ...(home !== null && { home }),
    ...(secrets.length > 0 && { secrets }),
  })),
)

/** The setting SIGN_IN_PROVIDERS: with providers the stack has all functions and routes. */
export const providerList = JSON.stringify(providers.map(statementOf))

/** An environment with every setting that adds resources to the stack. The account is AWS's example. */
export const everything = {
  STAGE: 'staging',
  SITE_URL: 'https://example.com',
  ADMIN_EMAIL: 'ada@example.com',
  REQUIRE_EMAIL_VERIFICATION: 'true',
  MAIL_FROM: 'Gatehouse <no-reply@mail.example.com>',
  SES_IDENTITY: 'example.com',
  SIGNING_KEYS: 'next,main',
  API_DOMAIN: 'api.example.com',
  API_CERTIFICATE_ARN: `arn:aws:acm:eu-central-1:111122223333:certificate/${uuid}`,
  LANGUAGES: 'en',
  OIDC_CLIENTS: applications,
  PASSKEY_RP_ID: 'example.com',
  PASSWORD_BLOCKLIST: 'online',
  SIGN_IN_PROVIDERS: providerList,
  CATALOGUE_DOMAIN: 'catalogue.example.com',
  CATALOGUE_CERTIFICATE_ARN: `arn:aws:acm:us-east-1:111122223333:certificate/${uuid}`,
  TOKENS_NOT_BEFORE: '2025-03-01T12:00:00Z',
  WEB_ACL_ARN: `arn:aws:wafv2:us-east-1:111122223333:global/webacl/main/${uuid}`,
}
