import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { expiringItems, toSeconds } from '../../shared/aws/expiring-items.ts'
import { ttlAttribute } from '../../shared/base/families.ts'
import type { UndoItem } from '../address/address.ts'
import { emailChangeKeys } from '../address/address.ts'
import type { SetupLinks } from './setup-link.ts'

interface LinkItem {
  id: string
  token_version: number
  expires_at: string
  spent_by?: string
}

/** Links to set up second factors, in the table of counters. */
export function setupLinkStore(db: DynamoDBDocumentClient, table: string): SetupLinks {
  const { find, spend, update } = expiringItems(db, table)
  return {
    async storeSetupLink(key, { id, tokenVersion, expiresAt }) {
      const stored = await update(key, {
        UpdateExpression: 'SET id = :id, token_version = :version, expires_at = :at, #expires = :expires',
        ConditionExpression: 'attribute_not_exists(spent_by)',
        ExpressionAttributeValues: {
          ':id': id,
          ':version': tokenVersion,
          ':at': expiresAt.toISOString(),
          ':expires': toSeconds(expiresAt),
        },
        ExpressionAttributeNames: { '#expires': ttlAttribute },
      })
      return stored !== null
    },

    async findSetupLink(key) {
      const item = await find<LinkItem>(key)
      if (!item || item.spent_by !== undefined) return null
      return { id: item.id, tokenVersion: item.token_version, expiresAt: new Date(item.expires_at) }
    },

    async allowUndo(hash, { id, email, tokenVersion, at, expiresAt, language, isPasskey }) {
      const item: UndoItem = {
        id,
        email,
        token_version: tokenVersion,
        at: at.toISOString(),
        ...(language && { language }),
        ...(isPasskey && { passkey: true }),
      }
      const attributes = Object.entries({ ...item, [ttlAttribute]: toSeconds(expiresAt) })
      await update(emailChangeKeys.undo(hash), {
        UpdateExpression: `SET ${attributes.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(attributes.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(attributes.map(([name, value]) => [`:${name}`, value])),
      })
    },

    spendSetupLink: (key, mark) => spend(key, 'id', mark),
  }
}
