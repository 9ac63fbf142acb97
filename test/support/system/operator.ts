import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, DynamoDBDocumentClient, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Running } from '../../../local/system.ts'
import type { Template } from '../../../local/template/template.ts'

type Item = Record<string, unknown>

/** The users table, read and changed directly, past the service. */
export interface Users {
  all(): Promise<Item[]>
  find(email: string): Promise<Item | undefined>
  change(email: string, members: Item): Promise<void>
  remove(email: string): Promise<void>
}

/** The tables' names in the local system. */
export const usersTable = 'Gatehouse-Users'
export const rateLimitsTable = 'Gatehouse-RateLimits'

/** The function whose role also gets the operator's permissions. Its code does not use them. */
const holder = 'register'

/** Adds the operator's permissions to a template. No function has them otherwise. */
export function allowOperator({ Resources }: Template): void {
  const role = Object.keys(Resources).find(id => /^RegisterRole[0-9A-F]{8}$/.test(id)) ?? ''
  Resources.Operator = {
    Type: 'AWS::IAM::Policy',
    Properties: {
      PolicyName: 'Operator',
      Roles: [{ Ref: role }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: ['dynamodb:Scan', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
            Resource: { 'Fn::GetAtt': ['Users', 'Arn'] },
          },
        ],
      },
    },
  }
}

export function openUsers(system: Running): Users {
  const { awsUrl: endpoint } = system
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: system.credential(holder) })
  const db = DynamoDBDocumentClient.from(client)
  const TableName = usersTable

  const users: Users = {
    async all() {
      const { Items = [] } = await db.send(new ScanCommand({ TableName, ConsistentRead: true }))
      return Items
    },
    find: async email => (await users.all()).find(item => item.email === email),
    async change(email, members) {
      const names = Object.keys(members)
      await db.send(
        new UpdateCommand({
          TableName,
          Key: { email },
          UpdateExpression: `SET ${names.map((_, i) => `#m${i} = :m${i}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#m${i}`, name])),
          ExpressionAttributeValues: Object.fromEntries(names.map((name, i) => [`:m${i}`, members[name]])),
        }),
      )
    },
    async remove(email) {
      await db.send(new DeleteCommand({ TableName, Key: { email } }))
    },
  }
  return users
}
