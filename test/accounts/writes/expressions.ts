/** The members of a call with instructions for DynamoDB. */
export interface Asked {
  Item?: unknown
  Key?: unknown
  IndexName?: string
  ConsistentRead?: boolean
  ReturnValues?: string
  KeyConditionExpression?: string
  UpdateExpression?: string
  ConditionExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, unknown>
  /** Of a transaction: its writes, each by its kind. */
  TransactItems?: Record<string, Asked>[]
  /** Of a transaction. */
  ClientRequestToken?: string
}

/** The writes of a transaction as calls of their own. */
const writesOf = ({ TransactItems = [] }: Asked) =>
  TransactItems.flatMap(members => Object.entries(members)).map(([kind, entry]) => [`${kind}Item`, entry] as const)

const clauses = ['KeyConditionExpression', 'UpdateExpression', 'ConditionExpression'] as const

/** The type of a value, in DynamoDB's letters. */
function typeOf(value: unknown): string {
  if (value instanceof Uint8Array) return 'B'
  if (value instanceof Set) return `${typeOf([...value][0])}S`
  if (Array.isArray(value)) return 'L'
  if (value === null) return 'NULL'
  return { string: 'S', number: 'N', boolean: 'BOOL', object: 'M' }[typeof value as 'string'] ?? typeof value
}

const path = String.raw`[#\w]+(?:\.[#\w]+)*`
/** One operation, comparison or function of an expression. */
const atom = new RegExp(
  String.raw`${path} = (?:if_not_exists\(${path}, :\w+\)|${path} [+-] :\w+)|(?:${path}|size\(${path}\)) (?:=|<>|[<>]=?) (?::\w+|${path})|\w+\(${path}(?:, :\w+)?\)|${path} :\w+|${path}`,
  'g',
)
const joining = /^(?:SET|REMOVE|ADD|DELETE|AND|OR|NOT)$/

/**
 * The kinds of what a call asks: how it reads, what it has returned, and the parts of its expressions (comparisons, functions and
 * clauses), with each attribute as `a` and each value as its type. Another attribute in the same place is the same kind.
 */
export function kindsOf(call: string, asked: Asked): string[] {
  const general = (text: string) =>
    text
      .replace(/:\w+/g, name => `:${typeOf(asked.ExpressionAttributeValues?.[name])}`)
      .replace(/(?<![:\w])[#\w]+(?![\w(])/g, name => (joining.test(name) ? name : 'a'))
  const own = clauses.flatMap(clause => {
    const where = `${call} ${clause.replace('Expression', '')}`
    // A clause of an update extends from its verb to the next.
    const parts = (asked[clause] ?? '').split(/(?=\b(?:SET|REMOVE|ADD|DELETE) )/)
    return parts.flatMap(part => {
      const [, verb = '', rest = ''] = /^((?:SET|REMOVE|ADD|DELETE) )?(.*)$/s.exec(part) ?? []
      const joined = rest.replace(atom, found => (joining.test(found) ? found : '…'))
      const joints = [...new Set(joined.match(/AND|OR|NOT/g) ?? [])]
      const atoms = (rest.match(atom) ?? []).filter(found => !joining.test(found)).map(general)
      return [...joints, ...atoms].map(kind => `${where}: ${verb}${kind}`)
    })
  })
  const reads =
    call === 'GetItem' || call === 'BatchGetItem'
      ? [`${call} ${asked.ConsistentRead ? 'consistently' : 'eventually'}`]
      : []
  const returns = asked.ReturnValues ? [`${call} returning ${asked.ReturnValues}`] : []
  return [...reads, ...returns, ...own, ...writesOf(asked).flatMap(([write, entry]) => kindsOf(write, entry))]
}
