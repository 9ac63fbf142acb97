import { bodyText, type Call, type Generator, quoted, snakeCase } from './generator.ts'
import { needing, openapiGenerator, versions } from './tools.ts'

/** Imports every module of a package, Python's equivalent of compiling. @param except names of modules */
const importAll = (name: string, except: string[] = []) => `import importlib, pkgutil, ${name}
for module in pkgutil.walk_packages(${name}.__path__, "${name}."):
    if module.name.rsplit(".", 1)[-1] not in ${JSON.stringify(except)}:
        importlib.import_module(module.name)
`

const commands = [
  ['python3', 'compile.py'],
  ['python3', 'program.py'],
] as const

const openapiPythonClient: Generator = {
  name: 'openapi-python-client',
  version: versions.openapiPythonClient,
  advice: 'From `/openapi.json?tags=accounts`: it forgets an import for the two POSTs of the catalogue',
  missing: needing('openapiPythonClient', 'python'),
  generate: [
    'openapi-python-client',
    ...['generate', '--path', 'openapi.json', '--output-path', 'gatehouse', '--meta', 'none'],
  ],
  files: calls => ({
    // It omits an import where a body has two media types.
    'compile.py': importAll('gatehouse', ['validate_query_by_post', 'get_paraminfo_by_post']),
    'program.py': `import json, os
from gatehouse import AuthenticatedClient, Client, models
from gatehouse.api import accounts
${calls.map(({ id }) => `import gatehouse.api.accounts.${snakeCase(id)}`).join('\n')}

url = os.environ["GATEHOUSE_URL"]

def call(id, operation, token, **body):
    client = AuthenticatedClient(base_url=url, token=token) if token else Client(base_url=url)
    answer = operation.sync_detailed(client=client, **body)
    print(json.dumps({"id": id, "status": int(answer.status_code), "answer": answer.parsed.to_dict()}))

${calls.map(call => `call(${[...pythonArguments(call), ...pythonBody(call)].join(', ')})`).join('\n')}
`,
  }),
  commands,
}

const pythonArguments = ({ id, token }: Call): string[] => [
  quoted(id),
  `accounts.${snakeCase(id)}`,
  token ? quoted(token) : 'None',
]
const pythonBody = (call: Call): string[] =>
  call.body ? [`body=models.${call.body.shape}.from_dict(json.loads(${bodyText(call)}))`] : []

const openapiGeneratorPython: Generator = {
  name: 'openapi-generator python',
  missing: needing('openapiGenerator', 'java', 'python'),
  ...openapiGenerator('python', 'packageName=gatehouse'),
  files: calls => ({
    'compile.py': `import sys\nsys.path.insert(0, "client")\n${importAll('gatehouse')}`,
    'program.py': `import json, os, sys
sys.path.insert(0, "client")
import gatehouse

url = os.environ["GATEHOUSE_URL"]

def call(id, operation, token, *body):
    client = gatehouse.ApiClient(gatehouse.Configuration(host=url, access_token=token))
    try:
        answer = getattr(gatehouse.AccountsApi(client), operation + "_with_http_info")(*body)
        status, data = answer.status_code, answer.data
    except gatehouse.ApiException as error:
        status, data = error.status, error.data
    print(json.dumps({"id": id, "status": status, "answer": data.to_dict()}, default=str))

${calls.map(call => `call(${generatorArguments(call).join(', ')})`).join('\n')}
`,
  }),
  commands,
}

const generatorArguments = (call: Call): string[] => [
  quoted(call.id),
  quoted(snakeCase(call.id)),
  call.token ? quoted(call.token) : 'None',
  ...(call.body ? [`gatehouse.${call.body.shape}.from_json(${bodyText(call)})`] : []),
]

export const ofPython = [openapiPythonClient, openapiGeneratorPython]
