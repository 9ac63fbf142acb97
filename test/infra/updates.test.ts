import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applications, everything, providerList } from '../support/stack/settings.ts'
import {
  inText,
  permissionsIn,
  policiesOf,
  type Resource,
  type Statement,
  synthesize,
} from '../support/stack/template.ts'
import record from './last-release-grants.json' with { type: 'json' }
import { cases } from './settings/cases.ts'

/**
 * CloudFormation updates policies, roles and keys before the functions that use them, and deletes removed resources
 * last. So for some seconds functions of the older template run with the newer policies. A roll-back is a deploy too.
 */

type Resources = Record<string, Resource>

/** Each function's grants, by its logical id: `<action> on <resource>`, with the conditions. */
type Grants = Record<string, string[]>

const isFunction = ({ Type }: Resource): boolean => Type === 'AWS::Lambda::Function'

const list = <T>(value: T | T[]): T[] => [value].flat() as T[]

/** A statement as texts, one for each leading key, with other conditions at the end. */
function textsOf(statement: Statement): string[] {
  const { Null, 'ForAllValues:StringLike': keys, ...others } = (statement.Condition ?? {}) as Record<string, object>
  const conditions = keys ? others : { ...others, ...(Null && { Null }) }
  const behind = Object.keys(conditions).length > 0 ? ` if ${JSON.stringify(conditions)}` : ''
  return permissionsIn([statement]).map(text => text + behind)
}

/** A key policy's rule for a role's call; null for a denial. */
function keyRule({ Properties }: Resource, role: string, action: string): string | null {
  const { Statement } = Properties.KeyPolicy as { Statement: Statement[] }
  const rules = Statement.filter(({ Effect, Action }) => {
    const patterns = list(Action).map(pattern => new RegExp(`^${pattern.replaceAll('*', '.*')}$`))
    return Effect === 'Deny' && patterns.some(pattern => pattern.test(action))
  }).map(({ Condition }) => {
    const { ArnNotEquals, ...others } = (Condition ?? {}) as { ArnNotEquals?: { 'aws:PrincipalArn': unknown } }
    if (!ArnNotEquals) return JSON.stringify(others)
    return list(ArnNotEquals['aws:PrincipalArn']).map(inText).includes(`<${role}.Arn>`) ? '' : null
  })
  return rules.includes(null) ? null : rules.filter(rule => rule !== '').join(' ')
}

function grantsIn(resources: Resources): Grants {
  const keys = Object.entries(resources).filter(([, { Type }]) => Type === 'AWS::KMS::Key')
  const functions = Object.entries(resources).filter(([, resource]) => isFunction(resource))
  return Object.fromEntries(
    functions.map(([id, { Properties }]) => {
      const role = inText(Properties.Role).replace(/^<|\.Arn>$/g, '')
      const texts = policiesOf(resources, id).flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap(textsOf))
      const ruled = texts.flatMap(text => {
        const [action = '', place = ''] = text.split(' on ')
        const [, key] = keys.find(([id]) => place.startsWith(`<${id}.Arn>`)) ?? []
        const rule = key ? keyRule(key, role, action) : ''
        return rule === null ? [] : [rule === '' ? text : `${text} unless ${rule}`]
      })
      return [id, [...new Set(ruled)].sort()]
    }),
  )
}

/** Grants that remaining functions of an older template lose until they are replaced: `<function>: <grant>`. */
function lossesIn(before: Grants, olderFunctions: Resources, after: Resources, deletedLast: Resources = {}): string[] {
  const stay = Object.fromEntries(Object.entries(olderFunctions).filter(([id]) => id in after))
  const during = grantsIn({ ...deletedLast, ...after, ...stay })
  return Object.keys(stay).flatMap(id =>
    (before[id] ?? []).filter(grant => !during[id]?.includes(grant)).map(grant => `${id}: ${grant}`),
  )
}

const functionsIn = (resources: Resources): Resources =>
  Object.fromEntries(Object.entries(resources).filter(([, resource]) => isFunction(resource)))

/** Losses that a deploy may have: what people see meanwhile, and why it is accepted. */
const passes: Record<string, { is(loss: string, after: Resources): boolean; sees: string; why: string }> = {
  'a changed sender of mails': {
    is: loss => /^OnMailQueuedFunction\w+: ses:SendEmail on /.test(loss),
    sees: 'a mail waits: the queue tries it again within three minutes, ten times',
    why: 'the condition on the sender must be that of the newer setting',
  },
  'a signing key whose name is dropped': {
    is: (loss, after) => {
      const [, key = ''] = /: kms:(?:Sign|GetPublicKey) on <(SigningKey\w+)\.Arn>/.exec(loss) ?? []
      return key !== '' && !(key in after)
    },
    sees: 'tokens by that key get 503 in place of 401, and where it was the one that signs, logins do',
    why: 'a key that leaked must stop at once',
  },
}

/** Losses that the next release intends: what people see. Empty after each release. */
const cuts: readonly { is: RegExp; sees: string }[] = [
  { is: /: xray:/, sees: 'nothing: no trace is written' },
  // Functions of both versions cannot write accounts in turn: what the old ones wrote would be missing in the new table.
  {
    is: / on <Users\.Arn>| on <RateLimits\.Arn> of (?:moved|undo#)/,
    sees: 'nobody logs in, from the deploy until the accounts are imported into the new table (docs/upgrade/0.5.md)',
  },
]

const passOf = (loss: string, after: Resources) => Object.entries(passes).find(([, { is }]) => is(loss, after))?.[0]

/** Settings that change grants, at each value that does. */
const changing: readonly Record<string, string | undefined>[] = [
  ...['main', 'main,next', 'next'].map(SIGNING_KEYS => ({ SIGNING_KEYS })),
  { OIDC_CLIENTS: undefined },
  { SIGN_IN_PROVIDERS: undefined },
  { OIDC_CLIENTS: undefined, SIGN_IN_PROVIDERS: undefined },
  { MAIL_FROM: 'other@mail.example.com' },
  { SES_IDENTITY: undefined },
  { MAIL_FROM: undefined, SES_IDENTITY: undefined, PASSKEY_RP_ID: undefined, SIGN_IN_PROVIDERS: undefined },
]
const bare: readonly Record<string, string>[] = [
  {},
  ...['main,next', 'next,main', 'next'].map(SIGNING_KEYS => ({ SIGNING_KEYS })),
  { OIDC_CLIENTS: applications },
  { MAIL_FROM: everything.MAIL_FROM, SIGN_IN_PROVIDERS: providerList },
]

/** Settings that do not fit the others at other values, in a template of their own. */
const apart = {
  CATALOGUE_CDN: 'off',
  CATALOGUE_DOMAIN: undefined,
  CATALOGUE_CERTIFICATE_ARN: undefined,
  WEB_ACL_ARN: undefined,
  SESSION_IDLE_DAYS: '1',
}

/** Every other setting at another value, all at once. */
const others = Object.fromEntries(
  cases.flatMap(([name, { good }]) => {
    const present = (everything as Record<string, string>)[name]
    const other = good.map(([text]) => text).find(text => text !== present && text !== '')
    const isOther = ![...changing, { CATALOGUE_CDN: '', SESSION_IDLE_DAYS: '' }].some(settings => name in settings)
    return isOther && other !== undefined ? [[name, other] as const] : []
  }),
)

const resourcesOf = (env: Record<string, string | undefined>) => synthesize(env).template.Resources as Resources
const all = { ...everything, STAGE: 'dev' }
const recordFile = join(import.meta.dirname, 'last-release-grants.json')

/** By grant, to keep the file small: the functions that have it, except their own logs, which all have. */
function byGrant(grants: Grants): Record<string, string> {
  const pairs = Object.entries(grants).flatMap(([id, texts]) => texts.map(text => [text, id] as const))
  const grouped = Object.entries(Object.groupBy(pairs, ([text]) => text)).filter(([text]) => !text.startsWith('logs:'))
  return Object.fromEntries(grouped.sort().map(([text, some = []]) => [text, some.map(([, id]) => id).join(' ')]))
}

if (process.env.RECORD_GRANTS === 'yes') {
  test('records the grants of a release', () => {
    writeFileSync(recordFile, `${JSON.stringify(byGrant(grantsIn(resourcesOf(all))), null, 2)}\n`)
  })
}

describe('a deploy', () => {
  const templates = [...[{}, ...changing].map(settings => ({ ...all, ...settings })), ...bare].map(env => {
    const resources = resourcesOf(env)
    return { resources, grants: grantsIn(resources) }
  })
  const [usual] = templates

  test('changes grants by these settings alone', () => {
    for (const settings of [others, apart]) {
      expect(grantsIn(resourcesOf({ ...all, ...settings }))).toEqual(usual?.grants)
    }
  })

  test('takes nothing that a function which stays still calls, whichever template follows whichever', () => {
    const used = new Set<string | undefined>()
    const lost = new Set<string>()
    for (const before of templates) {
      for (const after of templates) {
        for (const loss of lossesIn(before.grants, functionsIn(before.resources), after.resources, before.resources)) {
          const pass = passOf(loss, after.resources)
          used.add(pass)
          if (pass === undefined) lost.add(loss)
        }
      }
    }
    expect([...lost]).toEqual([])
    expect([...used].sort()).toEqual(Object.keys(passes).sort())
  })

  test('of the next release takes nothing from the last but what is cut on purpose', () => {
    const released: Grants = {}
    for (const [text, ids] of Object.entries<string>(record)) {
      for (const id of ids.split(' ')) released[id] = [...(released[id] ?? []), text]
    }
    const { resources = {} } = usual ?? {}
    const lost = lossesIn(released, functionsIn(resources), resources)
    // A function that will lose a grant keeps it in its row's `mayStill` until the next release.
    expect(lost.filter(loss => !cuts.some(({ is }) => is.test(loss)))).toEqual([])
  })
})
