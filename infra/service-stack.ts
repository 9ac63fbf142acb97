import { Annotations, CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { clientsFile } from '../accounts/application/client.ts'
import { providersFile } from '../accounts/identity/provider.ts'
import {
  deployedFunctions,
  exchangers,
  factorSetters,
  factorUsers,
  grantsOf,
  needsOf,
  rows,
  signers,
} from '../api/needs.ts'
import type { FunctionName } from '../api/routes.ts'
import manifest from '../package.json' with { type: 'json' }
import type { SettingName } from '../shared/base/config.ts'
import { bundleOf } from './build/function-bundles.ts'
import { type Lists, withLists } from './build/lists.ts'
import { Api } from './constructs/api.ts'
import { CatalogueCdn } from './constructs/catalogue-cdn.ts'
import { Data } from './constructs/data.ts'
import { FactorKey, ProviderKey } from './constructs/encryption-key.ts'
import { GrantResolver } from './constructs/grants.ts'
import { keepLogicalId, pascalCase } from './constructs/logical-id.ts'
import { Mail } from './constructs/mail.ts'
import { Operator } from './constructs/operator.ts'
import { type Functions, functionLog, ServiceFunction } from './constructs/service-function.ts'
import { Signing } from './constructs/signing.ts'
import { monitor } from './monitoring/monitoring.ts'
import { passkeyOrigins } from './settings/passkeys.ts'
import { namedSender } from './settings/sender.ts'
import type { Settings } from './settings/settings.ts'

interface ServiceStackProps extends StackProps {
  settings: Settings
  warnings?: readonly string[]
  build?: string
  local?: LocalAddresses
}

/** Addresses that only a system on one machine has. */
export interface LocalAddresses {
  /** The address of the pages, if not the API's. */
  browserUrl?: string | undefined
  /** The address of a stand-in for the list of breached passwords. */
  blocklistUrl?: string | undefined
}

export class ServiceStack extends Stack {
  readonly functions: Functions

  constructor(
    scope: Construct,
    id: string,
    { settings, warnings = [], build, local = {}, ...props }: ServiceStackProps,
  ) {
    super(scope, id, props)
    warnings.forEach((warning, i) => {
      Annotations.of(this).addWarningV2(`gatehouse:setting-${i}`, warning)
    })

    const data = new Data(this, 'Data')
    const mail = new Mail(this, 'Mail', settings)
    const signing = new Signing(this, 'Signing', settings.SIGNING_KEYS)
    const factorKey = new FactorKey(this, 'FactorKey')
    const providers = settings.SIGN_IN_PROVIDERS
    const hasProviders = providers.length > 0
    const providerKey = hasProviders ? new ProviderKey(this, 'ProviderKey') : null
    const api = new Api(this, 'Api', settings)
    const log = functionLog(this)
    const grantResolver = new GrantResolver(this, 'Grants', data, mail, signing, factorKey, providerKey)
    const stage = settings.STAGE
    const clients = settings.OIDC_CLIENTS
    const hasClients = clients.length > 0
    const texts: Record<SettingName, string> = {
      ...asTexts(settings),
      BLOCKLIST_URL: (settings.PASSWORD_BLOCKLIST === 'online' && local.blocklistUrl) || '',
      BROWSER_URL: ((hasClients || hasProviders) && local.browserUrl) || '',
      ISSUER: `${api.baseUrl}/auth`,
      MAIL_FROM: namedSender(settings.MAIL_FROM, settings.PRODUCT_NAME),
      OIDC_CLIENTS: hasClients ? 'on' : '',
      PASSKEY_ORIGINS: passkeyOrigins(settings, api.baseUrl).join(','),
      SIGN_IN_PROVIDERS: hasProviders ? 'on' : '',
      SITE_URL: settings.SITE_URL || api.baseUrl,
      SIGN_UP: settings.SIGN_UP === 'open' ? '' : settings.SIGN_UP,
      SSO: hasClients && settings.SSO === 'off' ? 'off' : '',
    }
    const make = (name: FunctionName): ServiceFunction => {
      const row = rows[name]
      const needs = needsOf(row)
      const grants = grantResolver.resolve(grantsOf(row), needsOf(row).writes)
      const of = (code: string) =>
        new ServiceFunction(this, pascalCase(name), { code, row, needs, grants, settings: texts, stage, log })
      const lists: Lists = {
        ...(hasClients && needs.settings.includes('OIDC_CLIENTS') && { [clientsFile]: clients }),
        ...(hasProviders && needs.settings.includes('SIGN_IN_PROVIDERS') && { [providersFile]: providers }),
      }
      const made = withLists(bundleOf(name, build), lists, of)
      api.serve(name, made)
      return made
    }
    const names = deployedFunctions(hasClients, hasProviders)
    this.functions = Object.fromEntries(names.map(name => [name, make(name)])) as Functions
    const rolesOf = (names: readonly FunctionName[]) => names.flatMap(name => this.functions[name]?.role ?? [])
    signing.signOnlyBy(rolesOf(signers))
    factorKey.useOnlyBy(rolesOf(factorUsers), rolesOf(factorSetters))
    providerKey?.decryptOnlyBy(rolesOf(exchangers))
    // CloudFormation updates the keys' policies before the functions. A replaced role would be denied until its function has the new one.
    for (const name of new Set([...signers, ...factorUsers, ...exchangers])) {
      const made = this.functions[name]
      if (made) keepLogicalId(made.role, roleIds[name] ?? `${pascalCase(name)}Role`)
    }

    const worker = this.functions['on-mail-queued']
    // Not CDK's SqsEventSource, which would grant the worker more than its row.
    const delivery = new EventSourceMapping(this, 'MailDelivery', {
      target: worker.lambda,
      eventSourceArn: mail.queue.queueArn,
      // SES's sandbox allows one mail a second: a larger batch would only wait, and fail together.
      batchSize: 2,
      // The minimum. Not reserved concurrency: a new account has ten concurrent executions in all.
      maxConcurrency: 2,
      reportBatchItemFailures: true,
    })
    Validations.of(delivery).acknowledge({
      id: 'Serverless::Serverless-LambdaEventSourceMappingDestination',
      reason: 'Mappings of queues have no such destination; failed messages go to the dead-letter queue.',
    })

    const catalogue = settings.CATALOGUE_CDN === 'on' ? this.#addCdn(api, settings) : null
    const topic = monitor(this, { api, data, mail, functions: this.functions, log, catalogue, settings })

    new Operator(this, 'Operator', data, mail, signing, factorKey, providerKey, topic, settings)
    this.#output('Version', manifest.version, 'The version of Gatehouse')
    this.#output('BaseUrl', api.baseUrl, 'The address of the API')
    this.#output('Issuer', texts.ISSUER, 'The iss of access tokens, for JWT authorizers')
    this.#output('Audience', settings.TOKEN_AUDIENCE, 'The aud of access tokens')
    this.#output('ExpectedAccounts', String(settings.EXPECTED_ACCOUNTS), 'How many accounts the stage is made for')
    this.#output('SignUp', settings.SIGN_UP, 'Who opens accounts')
    if (settings.SIGN_UP_DOMAINS.length > 0) {
      this.#output('SignUpDomains', settings.SIGN_UP_DOMAINS.join(','), 'The domains at which people open accounts')
    }
    this.#output('CorsOrigins', settings.CORS_ORIGINS.join(','), 'The origins whose pages may call the API')
    this.#output('AccountsTable', data.accounts.tableName, 'The table of accounts')
    this.#output('UsersTable', data.users.tableName, 'The table of the accounts of 0.4.0, for its export')
    this.#output('SessionDays', texts.SESSION_DAYS, 'How long sessions last at most, in days')
    this.#output('SecondFactor', texts.SECOND_FACTOR, 'Whether second factors are off, optional or required')
    this.#output('SessionIdleDays', texts.SESSION_IDLE_DAYS, 'How long sessions last that are not used, in days')
    this.#output('HashCost', String(settings.BCRYPT_COST), "What new password hashes cost, as bcrypt's power of two")
    if (settings.TOKENS_NOT_BEFORE !== '') {
      this.#output('TokensNotBefore', settings.TOKENS_NOT_BEFORE, 'Earlier access tokens and sessions are void')
    }
    const counters = 'The table of counters, and of the marks that deletions leave'
    this.#output('RateLimitsTable', data.rateLimits.tableName, counters)
    this.#output('DeadLetters', mail.deadLetters.queueUrl, 'Mails that failed ten times')
    this.#output('AlarmTopic', topic.topicArn, 'The topic of the alarms: subscribe to it')
    if (api.domain) this.#target('ApiDomainTarget', api.domain.regionalDomainName, 'API_DOMAIN')
  }

  #addCdn(api: Api, settings: Settings): Distribution {
    const cdn = new CatalogueCdn(this, 'CatalogueCdn', api.host, settings)
    this.#output('CatalogueUrl', `${cdn.baseUrl}/catalogue`, 'The catalogue, cached')
    if (settings.CATALOGUE_DOMAIN !== '') {
      this.#target('CatalogueDomainTarget', cdn.distribution.domainName, 'CATALOGUE_DOMAIN')
    }
    return cdn.distribution
  }

  #target(id: string, value: string, setting: string): void {
    this.#output(id, value, `The target of the DNS record for ${setting}`)
  }

  #output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description })
  }
}

/** Logical ids that CDK had generated for roles before their ids were fixed. */
const roleIds: Partial<Record<FunctionName, string>> = {
  'delete-account': 'DeleteAccountRoleB439F5DD',
  'end-session': 'EndSessionRole24C1D534',
  login: 'LoginRoleC2004742',
}

const asTexts = (settings: Settings): Record<keyof Settings, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])) as Record<
    keyof Settings,
    string
  >
