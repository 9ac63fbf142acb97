import { expect, test } from 'vitest'
import { needsOf, rows } from '../../../api/needs.ts'
import { functionNames } from '../../../api/route-keys.ts'
import { everything } from '../../support/stack/settings.ts'
import { inText, synthesize } from '../../support/stack/template.ts'

/** A sender to the mail queue can take over every account, by a reset link with a token of their choice. */

const stack = synthesize(everything)

interface Statement {
  Effect: string
  Action: string | string[]
  Resource?: unknown
  NotAction?: unknown
  NotResource?: unknown
}

/** Each allowing statement of every policy in the template, with its holder. */
function allowances(): [holder: string, statement: Statement][] {
  const documentsIn = (value: unknown): { Statement: Statement[] }[] => {
    if (typeof value !== 'object' || value === null) return []
    if ('Statement' in value) return [value as { Statement: Statement[] }]
    return Object.values(value).flatMap(documentsIn)
  }
  return Object.entries(stack.template.Resources).flatMap(([id, { Properties }]) =>
    documentsIn(Properties)
      .flatMap(({ Statement }) => Statement)
      .filter(({ Effect }) => Effect === 'Allow')
      .map((statement): [string, Statement] => [id, statement]),
  )
}

const matches = (pattern: string, text: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.+^$()|[\]\\{}]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    'i',
  ).test(text)

/** The resources whose policies allow sending to a queue. */
const sendersTo = (queue: string): string[] =>
  allowances()
    .filter(
      ([, { Action, Resource, NotAction, NotResource }]) =>
        NotAction !== undefined ||
        NotResource !== undefined ||
        ([Action].flat().some(action => matches(action, 'sqs:SendMessage')) &&
          [Resource].flat().some(resource => matches(inText(resource), `<${queue}.Arn>`))),
    )
    .map(([id]) => id)
    .sort()

test('only granted functions and mail’s operators can send to the mail queue', () => {
  const granted = functionNames.filter(name => needsOf(rows[name]).may.MailQueue?.includes('SendMessage'))
  expect(granted).not.toEqual([])
  const roles = granted.map(name => stack.roleId(name))
  const mailPolicy = inText(stack.template.Outputs?.OperatorMailPolicy?.Value).slice(1, -1)
  expect(sendersTo('MailQueue')).toEqual([...roles, mailPolicy].sort())
})

test('nobody can send to the dead letters, which an operator puts back on it', () => {
  expect(sendersTo('DeadLetters')).toEqual([])
})
