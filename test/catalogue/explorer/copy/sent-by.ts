// The requests that copied code sends when run.
import { forms } from '../../../../catalogue/explorer/client/copy/forms.ts'
import { readRequest } from '../../../../catalogue/explorer/client/copy/request.ts'
import { readPython, readUrl, runInShell, runScript, type Sent } from '../../../support/catalogue/read-forms.ts'

export const usual = 'https://en.wikipedia.org/w/api.php'
export const implied = [
  ['action', 'query'],
  ['format', 'json'],
]

/** The request of each form of a text, when run. */
export async function sentBy(text: string, options?: { withSecrets: boolean }): Promise<Record<string, Sent>> {
  const request = readRequest(text, options)
  const [curl] = runInShell([forms.curl(request)])
  if (!curl) throw new Error('curl was not called')
  return {
    url: readUrl(forms.url(request)),
    curl,
    fetch: await runScript(forms.fetch(request)),
    python: readPython(forms.python(request)),
  }
}

export const written = (pairs: readonly (readonly string[])[]): string =>
  pairs.map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
