import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import { localSettingsTable } from '../../infra/local/local-settings.ts'
import { type OperatorFile, operatorFileName } from '../../infra/local/operator.ts'
import { readTable } from '../../infra/settings/setting.ts'
import type { Given } from './command.ts'
import { CommandError } from './command-error.ts'
import { unreadable } from './text-files.ts'

/** Which stack a command works on. There is no default: what deletes must not guess. */
export const stackOptions = {
  local: {
    type: 'boolean',
    meaning: 'on the system that `npm start` runs, with the same DATA_DIR',
  },
  outputs: {
    type: 'string',
    value: 'FILE',
    meaning: `on AWS: the file that \`cdk deploy --outputs-file FILE\` has written. The credentials
      are those of the AWS CLI (AWS_PROFILE)`,
  },
  stack: { type: 'string', value: 'NAME', meaning: 'which one, where the file tells of several stacks' },
} as const

/** What the commands need to know of a stack: its outputs. */
const Outputs = v.object({
  UsersTable: v.string(),
  MailQueue: v.string(),
  DeadLetters: v.string(),
  /** `<name>=<key id>`, separated by commas; the first signs. */
  SigningKeys: v.string(),
  /** Where the setting ADMIN_EMAIL is set. */
  AdminEmail: v.optional(v.string()),
})

export interface Stack {
  /** As an operator knows it. */
  title: string
  outputs: v.InferOutput<typeof Outputs>
  /** For the clients of the SDK. */
  client: {
    maxAttempts: number
    endpoint?: string
    region?: string
    credentials?: OperatorFile['credentials']
  }
}

/** @throws {CommandError} */
export function findStack({ local, outputs, stack }: Given<typeof stackOptions>): Stack {
  if (local === (outputs !== undefined)) throw new CommandError('say either --local or --outputs FILE, not both', 2)
  if (local) return localStack()
  if (outputs === undefined) {
    throw new CommandError(
      'say which stack: --local, or --outputs FILE as `cdk deploy --outputs-file FILE` wrote it',
      2,
    )
  }
  const contents = readJson(resolve(process.env.INIT_CWD ?? '.', outputs))
  // On a table that is busy with others' requests, the tenth try comes after some 20 seconds.
  const chosen = choose(contents, stack, outputs)
  const region = regionOf(chosen.outputs.MailQueue) ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION
  return { ...chosen, client: { maxAttempts: 10, ...(region && { region }) } }
}

/** The region in a queue's address (Amazon SQS, "Queue URLs"). The SDK looks for one in a profile besides. */
const regionOf = (queueUrl: string): string | undefined => /^https:\/\/sqs\.([a-z\d-]+)\./.exec(queueUrl)?.[1]

function localStack(): Stack {
  const { DATA_DIR } = readTable({ DATA_DIR: localSettingsTable.DATA_DIR }, process.env)
  const file = join(DATA_DIR, operatorFileName)
  const { endpoint, region, credentials, outputs } = readJson(
    file,
    'no system is running with this DATA_DIR; start one with `npm start`',
  ) as OperatorFile
  const { outputs: own } = choose(outputs, undefined, file)
  return { title: 'the local system', outputs: own, client: { endpoint, region, credentials, maxAttempts: 2 } }
}

function choose(contents: unknown, name: string | undefined, file: string): Pick<Stack, 'title' | 'outputs'> {
  const stacks = v.safeParse(v.record(v.string(), v.looseObject({})), contents)
  if (!stacks.success)
    throw new CommandError(`${file} is no file of outputs as \`cdk deploy --outputs-file\` writes it`)
  const names = Object.keys(stacks.output)
  if (names.length === 0) throw new CommandError(`${file} names no stack: was anything deployed?`)
  const chosen = name ?? (names.length === 1 ? names[0] : undefined)
  if (chosen === undefined || !names.includes(chosen)) {
    throw new CommandError(`say which stack of ${file} by --stack: ${names.join(', ')}`, 2)
  }
  const parsed = v.safeParse(Outputs, stacks.output[chosen])
  if (parsed.success) return { title: chosen, outputs: parsed.output }
  const missing = parsed.issues.map(issue => v.getDotPath(issue)).join(', ')
  throw new CommandError(`${file} lacks outputs of ${chosen}: ${missing}. Was it written by a deploy of this version?`)
}

function readJson(file: string, ifMissing?: string): unknown {
  try {
    const text = readFileSync(file, 'utf8')
    if (text.trim() === '') throw new CommandError(`${file} is empty: did the deploy that writes it come to its end?`)
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof CommandError) throw error
    const reason = error instanceof SyntaxError ? 'cannot be read as JSON' : unreadable(error, ifMissing)
    throw new CommandError(`${file}: ${reason}`)
  }
}
