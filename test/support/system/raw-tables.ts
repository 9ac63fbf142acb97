import type { Tables } from '../../../local/aws/tables.ts'

/** A table with an index, by the attribute "token". */
export const usersTable = {
  id: 'Users',
  name: 'Stack-Users',
  AttributeDefinitions: [
    { AttributeName: 'id', AttributeType: 'S' },
    { AttributeName: 'token', AttributeType: 'S' },
  ],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-token',
      KeySchema: [{ AttributeName: 'token', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
}

/** The headers of a call, as the SDK sends them. */
export const headersOf = (action: string) => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': `DynamoDB_20120810.${action}`,
  'x-amz-date': '20260101T000000Z',
  authorization: 'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=x, Signature=x',
})

/** Calls the tables past the front. */
export const callTables = (tables: Tables, action: string, body: string) =>
  tables.service({ method: 'POST', path: '/', headers: headersOf(action), body, action, input: {} })
