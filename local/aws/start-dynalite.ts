import type { Server } from 'node:http'
import dynalite from 'dynalite'
import db from 'dynalite/db/index.js'

/**
 * dynalite, with a check that it lacks: DynamoDB refuses `""` as the key of an index, a put before it checks the condition
 * and an update afterwards. The messages are those of DynamoDB Local 2.6.1.
 */
export const startDynalite = (options: { path?: string }): Server => dynalite({ ...options, createTableMs: 0 })

const { validateItem, updateIndexes } = db
const rule = 'The AttributeValue for a key attribute cannot contain an empty string value.'

db.validateItem = (item, table) => {
  const found = emptyIndexKey(item, table)
  return found === undefined
    ? validateItem(item, table)
    : db.validationError(
        'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
          `${rule} IndexName: ${found.index}, IndexKey: ${found.key}`,
      )
}

/** dynalite calls this before a write, with the item after the write; without an item for a delete. */
db.updateIndexes = (store, table, before, item, done) =>
  item && emptyIndexKey(item, table)
    ? done(
        db.validationError(
          'One or more parameter values are not valid. The update expression attempted to update a secondary index key ' +
            `to a value that is not supported. ${rule}`,
        ),
      )
    : updateIndexes(store, table, before, item, done)

const emptyIndexKey = (item: DynaliteItem, { GlobalSecondaryIndexes = [] }: DynaliteTable) =>
  GlobalSecondaryIndexes.flatMap(({ IndexName, KeySchema }) =>
    KeySchema.map(({ AttributeName }) => ({ index: IndexName, key: AttributeName })),
  ).find(({ key }) => item[key]?.S === '')

type DynaliteItem = Parameters<typeof validateItem>[0]
type DynaliteTable = Parameters<typeof validateItem>[1]
