// Parses a copied query like its target program.
import { spawnSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'

/** The resulting request. */
export type Sent = { method: string; endpoint: string; pairs: string[][] }

const pairsOf = (query: string) => [...new URLSearchParams(query)]

export function readUrl(text: string): Sent {
  const { origin, pathname, search } = new URL(text)
  return { method: 'GET', endpoint: origin + pathname, pairs: pairsOf(search) }
}

/** Runs commands in a real shell, where `curl` prints its arguments. */
export function runInShell(commands: readonly string[], shell = 'sh'): Sent[] {
  const report = `curl() { for argument; do printf '%s\\0' "$argument"; done; printf '\\n\\0'; }`
  const input = [report, ...commands, ''].join('\n')
  const { stdout, stderr, status } = spawnSync(shell, [], { input, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0 || stderr !== '') throw new Error(`The shell failed: ${stderr}`)
  return stdout
    .split('\n\0')
    .slice(0, -1)
    .map(call => readCurl(call.split('\0').slice(0, -1)))
}

/** By curl's manual: `--data-urlencode` encodes what follows the first `=`. */
function readCurl(words: readonly string[]): Sent {
  const sent: Sent = { method: 'POST', endpoint: '', pairs: [] }
  let isNamed = false
  for (let at = 0; at < words.length; at++) {
    const option = words[at] ?? ''
    if (option === '--get') sent.method = 'GET'
    else if (option === '--data-raw') sent.pairs.push(...pairsOf(words[++at] ?? ''))
    else if (option === '--data-urlencode') {
      const [, name = '', content = ''] = /^([^=@]+)=(.*)$/s.exec(words[++at] ?? '') ?? []
      sent.pairs.push(...pairsOf(`${name}=${encodeURIComponent(content)}`))
    } else if (option === '--user-agent') isNamed = words[++at] !== ''
    else if (option !== '--globoff') sent.endpoint = option
  }
  if (!isNamed) throw new Error('curl does not say who sends it')
  return sent
}

/** Runs a script where `fetch` reports its arguments, without the last `origin=*` of its address or its pairs. */
export async function runScript(code: string): Promise<Sent> {
  const sent: Sent[] = []
  const fetch = async (address: string, { method = 'GET', body = new URLSearchParams() } = {}) => {
    const { endpoint, pairs } = readUrl(address)
    const origin = pairs.findLastIndex(([name, value]) => name === 'origin' && value === '*')
    if (origin < 0) throw new Error('No other page may read the answer')
    sent.push({ method, endpoint, pairs: [...pairs.toSpliced(origin, 1), ...body] })
    return { json: async () => 'data', text: async () => 'data' }
  }
  const data = await runInNewContext(`(async () => {${code}\nreturn data })()`, { fetch, URLSearchParams })
  const [only] = sent
  if (data !== 'data' || sent.length !== 1 || !only) throw new Error('The script does not fetch once')
  return only
}

/** Reads a Python program in the one written form, its literals by the language's rules. */
export function readPython(code: string): Sent {
  const literal = String.raw`'((?:[^'\\\n]|\\.)*)'`
  const program = new RegExp(
    String.raw`^import requests\n\nresponse = requests\.(get|post)\(\n    ${literal},\n    (params|data)=\{\n((?:        ${literal}: ${literal},\n)*)    \},\n    headers=\{'User-Agent': ${literal}\},\n\)\ndata = response\.(?:json\(\)|text)$`,
  )
  const [, method = '', endpoint = '', place, pairs = ''] = program.exec(code) ?? []
  if (place !== (method === 'get' ? 'params' : 'data')) throw new Error(`No such program: ${code}`)
  const each = new RegExp(`^        ${literal}: ${literal},$`, 'gm')
  return {
    method: method.toUpperCase(),
    endpoint: unescapePython(endpoint),
    pairs: [...pairs.matchAll(each)].map(([, name = '', value = '']) => [unescapePython(name), unescapePython(value)]),
  }
}

/** The Python Language Reference, 2.5.1: escape sequences. */
function unescapePython(literal: string): string {
  return literal.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gs, (_, byte, unit, other) => {
    if (byte ?? unit) return String.fromCharCode(Number.parseInt(byte ?? unit, 16))
    if (other === 'n') return '\n'
    if (other === '\\' || other === "'") return other
    throw new Error(`Not an escape that is written: \\${other}`)
  })
}

/** Runs Python programs, where `requests` reports its arguments; null without Python. */
export function runPython(programs: readonly string[]): Sent[] | null {
  const runner = `
import json, sys, types
sent = []
class Response:
    text = 'data'
    def json(self): return 'data'
def stand_in(method):
    def ask(endpoint, params=None, data=None, headers={}):
        assert headers['User-Agent']
        sent.append({'method': method, 'endpoint': endpoint, 'pairs': list((params or data).items())})
        return Response()
    return ask
sys.modules['requests'] = types.SimpleNamespace(get=stand_in('GET'), post=stand_in('POST'))
for program in json.loads(sys.stdin.read()):
    exec(program, {})
print(json.dumps(sent))
`
  const { stdout, stderr, status, error } = spawnSync('python3', ['-c', runner], {
    input: JSON.stringify(programs),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (error) return null
  if (status !== 0) throw new Error(`Python failed: ${stderr}`)
  return JSON.parse(stdout) as Sent[]
}
