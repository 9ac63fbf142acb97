import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { unreadable } from '../../infra/settings/files.ts'
import { readTable } from '../../infra/settings/setting.ts'
import { setAhead } from '../../local/clock/date.cjs'
import { localSettingsTable } from '../../local/local-settings.ts'
import { type OperatorFile, operatorFileName } from '../../local/operator.ts'
import { secondFactorRules, signUpRules } from '../../shared/base/config.ts'
import type { OptionValues } from './command.ts'
import { CommandError } from './failures.ts'
import { pathOf } from './text-files.ts'

/** The stack of a command. There is no default: a command that deletes must not guess. */
export const stackOptions = {
  local: {
    type: 'boolean',
    meaning: 'the system that `npm start` runs, with the same DATA_DIR',
  },
  outputs: {
    type: 'string',
    value: 'FILE',
    meaning: `a stack on AWS: the file that \`cdk deploy --outputs-file FILE\` wrote. The credentials
      are those of the AWS CLI (AWS_PROFILE)`,
  },
  stack: { type: 'string', value: 'NAME', meaning: 'the name of the stack, if the file has several' },
} as const

/** The stack's outputs that the commands read. */
const Outputs = v.object({
  AccountsTable: v.string(),
  RateLimitsTable: v.string(),
  MailQueue: v.string(),
  DeadLetters: v.string(),
  /** `<name>=<key id>`, separated by commas. The first key signs. */
  SigningKeys: v.string(),
  /** Absent when the setting ADMIN_EMAIL is empty. */
  AdminEmail: v.optional(v.string()),
  /** Absent when the setting MAIL_FROM is empty. */
  MailFrom: v.optional(v.string()),
  /** Tags, separated by commas. Absent when the setting LANGUAGES is empty. */
  Languages: v.optional(v.string()),
  /** Absent in the outputs of earlier versions, which had the settings' defaults. */
  SessionDays: v.optional(v.string(), '30'),
  SessionIdleDays: v.optional(v.string(), '14'),
  SecondFactor: v.optional(v.picklist(secondFactorRules), 'optional'),
  /** What new hashes cost, as bcrypt's power of two. */
  HashCost: v.optional(v.string(), '12'),
  /** The ARN of the key of second factors. Absent in the outputs of earlier versions. */
  FactorKey: v.optional(v.string()),
  /** The ARN of the key of secrets at providers, and their ids. Absent where SIGN_IN_PROVIDERS lists none. */
  ProviderKey: v.optional(v.string()),
  Providers: v.optional(v.string()),
  /** The rule of who may open accounts. Absent in the outputs of earlier versions. */
  SignUp: v.optional(v.picklist(signUpRules)),
  /** Separated by commas. Absent when the setting SIGN_UP_DOMAINS is empty. */
  SignUpDomains: v.optional(v.string()),
  /** Absent when the setting PASSKEY_RP_ID is empty. */
  PasskeyRpId: v.optional(v.string()),
  /** Absent in the outputs of earlier versions, as are the next two, and certificates without a domain. */
  OperatorStackPolicy: v.optional(v.string()),
  AlarmTopic: v.optional(v.string()),
  ExpectedAccounts: v.optional(v.string()),
  ApiCertificate: v.optional(v.string()),
  CatalogueCertificate: v.optional(v.string()),
  /** Absent when the setting TOKENS_NOT_BEFORE is empty. */
  TokensNotBefore: v.optional(v.string()),
})

export interface Stack {
  /** For messages. */
  title: string
  outputs: v.InferOutput<typeof Outputs>
  /** The configuration of SDK clients. */
  client: {
    maxAttempts: number
    endpoint?: string
    region?: string
    credentials?: OperatorFile['credentials']
  }
}

/** @throws {CommandError} */
export function findStack({ local, outputs, stack }: OptionValues<typeof stackOptions>): Stack {
  if (local && outputs !== undefined) throw new CommandError('give either --local or --outputs FILE, not both', 2)
  if (local) return localStack()
  if (outputs === undefined) {
    throw new CommandError(
      'which stack? Give --local, or --outputs FILE, the file that `cdk deploy --outputs-file FILE` wrote',
      2,
    )
  }
  const contents = readJson(pathOf(outputs))
  // A table may be busy with other requests: the tenth attempt comes after about 20 seconds.
  const chosen = choose(contents, stack, outputs)
  const region = regionOf(chosen.outputs.MailQueue) ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION
  return { ...chosen, client: { maxAttempts: 10, ...(region && { region }) } }
}

/** The region in a queue's URL (Amazon SQS, "Queue URLs"). Without one, the SDK takes the profile's. */
const regionOf = (queueUrl: string): string | undefined => /^https:\/\/sqs\.([a-z\d-]+)\./.exec(queueUrl)?.[1]

function localStack(): Stack {
  const { DATA_DIR } = readTable({ DATA_DIR: localSettingsTable.DATA_DIR }, process.env)
  const file = join(DATA_DIR, operatorFileName)
  const { endpoint, region, credentials, ahead, outputs } = readJson(
    file,
    'no system runs with this DATA_DIR; start one with `npm start`',
  ) as OperatorFile
  setAhead(ahead * 1000)
  const local = choose(outputs, undefined, file)
  return { ...local, title: 'the local system', client: { endpoint, region, credentials, maxAttempts: 2 } }
}

function choose(contents: unknown, name: string | undefined, file: string): Pick<Stack, 'title' | 'outputs'> {
  const stacks = v.safeParse(v.record(v.string(), v.looseObject({})), contents)
  if (!stacks.success) throw new CommandError(`${file} is not a file that \`cdk deploy --outputs-file\` writes`)
  const names = Object.keys(stacks.output)
  if (names.length === 0) throw new CommandError(`${file} names no stack; was anything deployed?`)
  const chosen = name ?? (names.length === 1 ? names[0] : undefined)
  if (chosen === undefined || !names.includes(chosen)) {
    throw new CommandError(`choose a stack of ${file} by --stack: ${names.join(', ')}`, 2)
  }
  const parsed = v.safeParse(Outputs, stacks.output[chosen])
  if (parsed.success) return { title: chosen, outputs: parsed.output }
  const missing = parsed.issues.map(issue => v.getDotPath(issue)).join(', ')
  throw new CommandError(`${file} lacks outputs of ${chosen}: ${missing}. Did a deploy of this version write it?`)
}

function readJson(file: string, ifMissing?: string): unknown {
  try {
    const text = readFileSync(file, 'utf8')
    if (text.trim() === '') throw new CommandError(`${file} is empty; did the deploy finish?`)
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof CommandError) throw error
    const reason = error instanceof SyntaxError ? 'is not valid JSON' : unreadable(error, ifMissing)
    const hint = ifMissing !== undefined && reason !== ifMissing ? '; set DATA_DIR to that of a system of yours' : ''
    throw new CommandError(`${file}: ${reason}${hint}`)
  }
}
