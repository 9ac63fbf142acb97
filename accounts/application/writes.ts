import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { expiringItems, toSeconds } from '../../shared/aws/expiring-items.ts'
import { day } from '../../shared/base/limits/windows.ts'
import { codeLifetime, type Grants, type KeptGrant } from './grant.ts'

/** Seconds after its expiry for which a replayed code is recognised. */
export const codeKnownFor = day

export interface GrantItem {
  client: string
  redirect: string
  challenge: string | null
  nonce: string | null
  scope: string
  id: string
  token_version: number
  auth_time: string
  amr: string[]
  browser_session: string | null
  created_at: string
  spent_by?: string
  session?: string
  reused?: true
}

const toGrant = (item: GrantItem): KeptGrant => ({
  client: item.client,
  redirect: item.redirect,
  challenge: item.challenge,
  nonce: item.nonce,
  scope: item.scope.split(' '),
  id: item.id,
  version: item.token_version,
  authTime: new Date(item.auth_time),
  amr: item.amr,
  browserSession: item.browser_session,
  createdAt: new Date(item.created_at),
  spentBy: item.spent_by ?? null,
  session: item.session ?? null,
  isReused: item.reused ?? false,
})

/** Authorization codes, in the table of counters. */
export function grantStore(db: DynamoDBDocumentClient, table: string): Grants {
  const { add, find, update } = expiringItems(db, table)
  return {
    store(key, grant) {
      const item: GrantItem = {
        client: grant.client,
        redirect: grant.redirect,
        challenge: grant.challenge,
        nonce: grant.nonce,
        scope: grant.scope.join(' '),
        id: grant.id,
        token_version: grant.version,
        auth_time: grant.authTime.toISOString(),
        amr: [...grant.amr],
        browser_session: grant.browserSession,
        created_at: grant.createdAt.toISOString(),
      }
      const expires = toSeconds(new Date(grant.createdAt.getTime() + codeLifetime)) + codeKnownFor
      return add(key, item, 'id', expires)
    },

    async find(key) {
      const item = await find<GrantItem>(key)
      return item && toGrant(item)
    },

    async spend(key, mark, session) {
      const spent = await update(key, {
        UpdateExpression: `SET spent_by = :mark${session === null ? '' : ', #session = :session'}`,
        ConditionExpression:
          'attribute_exists(id) AND attribute_not_exists(reused) AND (attribute_not_exists(spent_by) OR spent_by = :mark)',
        ExpressionAttributeValues: { ':mark': mark, ...(session !== null && { ':session': session }) },
        ...(session !== null && { ExpressionAttributeNames: { '#session': 'session' } }),
      })
      return spent !== null
    },

    async markReused(key) {
      const marked = await update(key, {
        UpdateExpression: 'SET reused = :true',
        ConditionExpression: 'attribute_exists(spent_by)',
        ExpressionAttributeValues: { ':true': true },
        ReturnValues: 'ALL_NEW',
      })
      return marked && toGrant(marked.Attributes as GrantItem)
    },
  }
}

/** Which AWS action each call takes, as the row's grants name it. */
export interface GrantCalls {
  store: 'Grants:PutItem'
  find: 'Grants:GetItem'
  spend: 'Grants:UpdateItem'
  markReused: 'Grants:UpdateItem'
}
