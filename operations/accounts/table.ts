import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { attempt, reach } from '../../shared/aws.ts'
import type { AccountItem } from '../../shared/store/account-item.ts'
import { tokenAttributes } from '../../shared/store/tables.ts'
import type { Stack } from '../command-line/stack.ts'

/** The users table, as far as commands change it. Each change is one conditional write of one item. */
export class AccountTable {
  readonly #db: DynamoDBDocumentClient
  readonly #table: string

  constructor({ client, outputs }: Stack) {
    this.#db = DynamoDBDocumentClient.from(new DynamoDBClient(client))
    this.#table = outputs.UsersTable
  }

  async find(email: string): Promise<AccountItem | null> {
    const input = { TableName: this.#table, Key: { email }, ConsistentRead: true }
    const found = await reach(this.#db.send(new GetCommand(input)))
    return (found.Item as AccountItem | undefined) ?? null
  }

  /** @returns false when there is an account of this address */
  async add(item: AccountItem): Promise<boolean> {
    const input = { TableName: this.#table, Item: item, ConditionExpression: 'attribute_not_exists(email)' }
    return (await attempt(this.#db.send(new PutCommand(input)))) !== null
  }

  /** All accounts, a page of the table at a time. */
  async *pages(): AsyncGenerator<AccountItem[]> {
    let start: Record<string, unknown> | undefined
    do {
      const input = { TableName: this.#table, ConsistentRead: true, ExclusiveStartKey: start }
      const page = await reach(this.#db.send(new ScanCommand(input)))
      start = page.LastEvaluatedKey
      yield (page.Items ?? []) as AccountItem[]
    } while (start)
  }

  /** @returns false when it is not there, or another account has its address */
  async remove({ email, id }: AccountItem): Promise<boolean> {
    const removed = await attempt(
      this.#db.send(
        new DeleteCommand({
          TableName: this.#table,
          Key: { email },
          ConditionExpression: 'id = :id',
          ExpressionAttributeValues: { ':id': id },
        }),
      ),
    )
    return removed !== null
  }

  /** Marks the address as verified and clears the token that would do it. @returns as `remove` does */
  async verify({ email, id }: AccountItem, now: Date): Promise<boolean> {
    const { hash, expires } = tokenAttributes.verification
    const updated = await attempt(
      this.#db.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { email },
          UpdateExpression: `SET is_verified = :true, updated_at = :now REMOVE ${hash}, ${expires}`,
          ConditionExpression: 'id = :id',
          ExpressionAttributeValues: { ':id': id, ':true': true, ':now': now.toISOString() },
        }),
      ),
    )
    return updated !== null
  }
}
