import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { conditionalWrite } from '../../shared/aws/aws.ts'
import { expiringItems, toSeconds } from '../../shared/aws/expiring-items.ts'
import { ttlAttribute } from '../../shared/base/families.ts'
import type { ChallengePurpose, Challenges } from './challenge.ts'

interface ChallengeItem {
  purpose: ChallengePurpose
  id: string | null
  expires_at: string
  spent_by?: string
}

/** What passkeys sign, in the table of counters. */
export function challengeStore(db: DynamoDBDocumentClient, table: string): Challenges {
  const { find, spend } = expiringItems(db, table)
  return {
    async store(key, { purpose, accountId, expiresAt }) {
      const item: ChallengeItem = { purpose, id: accountId, expires_at: expiresAt.toISOString() }
      // A write that was sent twice may arrive late, when the challenge has been spent. It must not make that good again.
      const ConditionExpression = 'attribute_not_exists(purpose)'
      const Item = { key, ...item, [ttlAttribute]: toSeconds(expiresAt) }
      await conditionalWrite(db.send(new PutCommand({ TableName: table, Item, ConditionExpression })))
    },

    async find(key) {
      const item = await find<ChallengeItem>(key)
      if (!item || item.spent_by !== undefined) return null
      return { purpose: item.purpose, accountId: item.id, expiresAt: new Date(item.expires_at) }
    },

    spend: (key, mark) => spend(key, 'purpose', mark),
  }
}
