import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { standingIn } from '../../infra/settings/files.ts'
import type { Credential } from '../aws/credentials.ts'
import { ahead } from '../clock/date.cjs'
import type { FunctionDefinition } from '../template/read-stack.ts'

/** The inputs of an environment's process. */
export interface ProcessParts {
  definition: FunctionDefinition
  credential: Credential
  region: string
  awsUrl: string
  /** Host and port of the Runtime API. */
  runtimeApi: string
  /** The file that runs in the process, instead of `bootstrap.cjs`. */
  runtimeClient?: string
  /** Lets a debugger attach, which may pause it anywhere: no timeout applies. */
  isInspected?: boolean
}

/** The default address of debuggers (Node.js, "Debugging"). Loopback only, because anyone who reaches it can run code. */
const inspector = '127.0.0.1:9229'

const bootstrap = join(import.meta.dirname, 'bootstrap.cjs')

/** Starts the process of an execution environment. @param id of the environment */
export function startProcess(parts: ProcessParts, id: string): ChildProcess {
  const { definition, runtimeClient = bootstrap, isInspected } = parts
  const flags = [
    ...(isInspected ? [`--inspect=${inspector}`] : []),
    // Nine tenths of the function's memory, as in Lambda, and a small young generation, because a dozen processes share one machine.
    `--max-old-space-size=${Math.floor(definition.memory * 0.9)}`,
    '--max-semi-space-size=2',
  ]
  return spawn(process.execPath, [...flags, runtimeClient], {
    cwd: definition.codeDirectory,
    // In a process group of its own: Ctrl-C in a terminal reaches only the system, which stops its parts in order.
    detached: true,
    env: variables(parts, id),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The function's variables in the template and those of Lambda (AWS Lambda, "Defined runtime environment variables"). */
function variables(
  { definition, credential, region, awsUrl, runtimeApi }: ProcessParts,
  id: string,
): Record<string, string> {
  return {
    ...definition.environment,
    _HANDLER: definition.handler,
    AWS_ACCESS_KEY_ID: credential.accessKeyId,
    AWS_DEFAULT_REGION: region,
    // The only difference from AWS, where the SDK derives the addresses of services.
    AWS_ENDPOINT_URL: awsUrl,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memory),
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
    AWS_LAMBDA_LOG_GROUP_NAME: definition.logGroup,
    AWS_LAMBDA_LOG_LEVEL: 'INFO',
    AWS_LAMBDA_LOG_STREAM_NAME: id,
    AWS_LAMBDA_RUNTIME_API: `${runtimeApi}/${id}`,
    AWS_REGION: region,
    AWS_SECRET_ACCESS_KEY: credential.secretAccessKey,
    AWS_SESSION_TOKEN: credential.sessionToken,
    CLOCK_AHEAD: String(ahead()),
    // Not the user's home, where the SDK would find an AWS profile.
    HOME: definition.codeDirectory,
    LAMBDA_TASK_ROOT: definition.codeDirectory,
    LANG: 'en_US.UTF-8',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TZ: ':UTC',
    ...trustOf(process.env),
  }
}

/** The operator's one variable that functions get: they call providers whose certificate the operator made. */
function trustOf(env: Record<string, string | undefined>): Record<string, string> {
  const { NODE_EXTRA_CA_CERTS: file } = env
  return file ? { NODE_EXTRA_CA_CERTS: resolve(standingIn(env).folder, file) } : {}
}
