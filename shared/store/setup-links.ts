import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { SetupLinks } from '../accounts/setup-link.ts'
import { emailChangeKeys, ttlAttribute } from './attributes.ts'
import { callAws, conditionalWrite } from './aws.ts'
import type { UndoItem } from './email-change-items.ts'

interface LinkItem {
  id: string
  token_version: number
  expires_at: string
  spent_by?: string
}

/** Links to set up second factors, in the table of counters. */
export function setupLinkStore(db: DynamoDBDocumentClient, table: string): SetupLinks {
  const update = (
    key: string,
    UpdateExpression: string,
    ConditionExpression: string,
    ExpressionAttributeValues: Record<string, unknown>,
    ExpressionAttributeNames?: Record<string, string>,
  ) =>
    conditionalWrite(
      db.send(
        new UpdateCommand({
          TableName: table,
          Key: { key },
          UpdateExpression,
          ConditionExpression,
          ExpressionAttributeValues,
          ...(ExpressionAttributeNames && { ExpressionAttributeNames }),
        }),
      ),
    )
  return {
    async storeSetupLink(key, { id, tokenVersion, expiresAt }) {
      const values = {
        ':id': id,
        ':version': tokenVersion,
        ':at': expiresAt.toISOString(),
        ':expires': Math.ceil(expiresAt.getTime() / 1000),
      }
      const set = 'SET id = :id, token_version = :version, expires_at = :at, #expires = :expires'
      const stored = await update(key, set, 'attribute_not_exists(spent_by)', values, { '#expires': ttlAttribute })
      return stored !== null
    },

    async findSetupLink(key) {
      const found = await callAws(db.send(new GetCommand({ TableName: table, Key: { key }, ConsistentRead: true })))
      const item = found.Item as LinkItem | undefined
      if (!item || item.spent_by !== undefined) return null
      return { id: item.id, tokenVersion: item.token_version, expiresAt: new Date(item.expires_at) }
    },

    async allowUndo(hash, { id, email, tokenVersion, at, expiresAt }) {
      const item: UndoItem = { id, email, token_version: tokenVersion, at: at.toISOString() }
      const attributes = Object.entries({ ...item, [ttlAttribute]: Math.ceil(expiresAt.getTime() / 1000) })
      const command = new UpdateCommand({
        TableName: table,
        Key: { key: emailChangeKeys.undo(hash) },
        UpdateExpression: `SET ${attributes.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(attributes.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(attributes.map(([name, value]) => [`:${name}`, value])),
      })
      await callAws(db.send(command))
    },

    async spendSetupLink(key, mark) {
      const isUnspent = 'attribute_exists(id) AND (attribute_not_exists(spent_by) OR spent_by = :mark)'
      return (await update(key, 'SET spent_by = :mark', isUnspent, { ':mark': mark })) !== null
    },
  }
}
